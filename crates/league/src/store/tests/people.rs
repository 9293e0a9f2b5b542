//! People, secrets, settings.

use super::super::CredentialKind::{Feed, Link, Session, Token, Worker};
use super::super::{NewPerson, Role, Setting};
use super::place::{NOW, Place, enrol, hand_in, student};

pub(super) async fn secrets_are_good_for_one_thing_and_until_they_expire(place: Place) {
    let store = place.open().await;
    let (_, person) = enrol(&store, "s").await;
    let until = (NOW, NOW + 100);
    let mut secrets = Vec::new();
    for kind in [Link, Session, Token, Worker, Feed] {
        secrets
            .push((kind, store.new_credential(kind, Some(person), "label", until).await.unwrap()));
    }
    for (kind, secret) in &secrets {
        assert_eq!(secret.len(), 43);
        for asked in [Link, Session, Token, Feed] {
            let found = store.bearer(asked, secret, NOW + 99).await.unwrap();
            assert_eq!(found.is_some(), *kind == asked, "{kind:?} as {asked:?}");
            assert!(store.bearer(asked, secret, NOW + 100).await.unwrap().is_none(), "expired");
        }
        assert_eq!(store.worker(secret, NOW).await.unwrap().is_some(), *kind == Worker);
        if *kind != Link {
            assert!(
                store.redeem_link(secret, NOW, NOW + 5).await.unwrap().is_none(),
                "{kind:?} is no link"
            );
        }
        let kept: Option<(i64,)> = sqlx::query_as("SELECT 1 FROM credential WHERE hash = $1")
            .bind(secret)
            .fetch_optional(&store.read)
            .await
            .unwrap();
        assert!(kept.is_none(), "only a hash is kept");
    }
    let (_, link) = &secrets[0];
    assert!(store.redeem_link(link, NOW + 100, NOW + 200).await.unwrap().is_none(), "expired");
    let session = store.redeem_link(link, NOW + 99, NOW + 200).await.unwrap().unwrap();
    assert!(store.redeem_link(link, NOW + 99, NOW + 200).await.unwrap().is_none(), "used");
    assert_eq!(store.bearer(Session, &session, NOW + 199).await.unwrap().unwrap().login, "s");
    store.forget_secret(&session).await.unwrap();
    assert!(store.bearer(Session, &session, NOW + 199).await.unwrap().is_none());
    assert!(
        store
            .worker(&store.new_credential(Worker, None, "cluster", until).await.unwrap(), NOW)
            .await
            .unwrap()
            .is_some()
    );
    store.forget_tokens(person, "label").await.unwrap();
    assert!(store.tokens(person).await.unwrap().is_empty());
}

pub(super) async fn a_roster_that_is_read_again_changes_and_adds(place: Place) {
    let store = place.open().await;
    let teacher =
        NewPerson { login: "t".into(), name: "Teo".into(), team: None, role: Role::Teacher };
    let first = store
        .add_people(&[student("a", Some("The A")), student("b", Some("The A")), teacher.clone()])
        .await
        .unwrap();
    assert_eq!(first[0].entrant, first[1].entrant);
    assert_eq!((first[2].entrant, first[2].role), (None, Role::Teacher));
    let second = store
        .add_people(&[student("a", Some("The A")), student("b", None), student("c", None)])
        .await
        .unwrap();
    assert_eq!(
        (second[0].id, second[0].entrant, second[1].id),
        (first[0].id, first[0].entrant, first[1].id)
    );
    assert_ne!(second[1].entrant, first[1].entrant);
    let third = store.add_people(&[student("b", None)]).await.unwrap();
    assert_eq!(third[0].entrant, second[1].entrant, "one's own entrant stays");
    assert_eq!(store.people().await.unwrap().len(), 4);
    assert_eq!(store.person_by_login("t").await.unwrap().unwrap().name, "Teo");
    assert!(store.person_by_login("nobody").await.unwrap().is_none());
}

pub(super) async fn names_meet_in_one_league(place: Place) {
    let store = place.open().await;
    let named = |login: &str, name: &str| NewPerson { name: name.into(), ..student(login, None) };
    let twins = store.add_people(&[named("1", "Ann Lee"), named("2", "Ann Lee")]).await.unwrap();
    let names: Vec<_> =
        store.people().await.unwrap().into_iter().filter_map(|(_, entrant)| entrant).collect();
    assert_eq!(names, ["Ann Lee", "Ann Lee (2)"]);
    assert_ne!(twins[0].entrant, twins[1].entrant);
    // Records know no names with quotes.
    let nicknames = store
        .add_people(&[named("5", "Robert \"Bob\" Lee"), student("6", Some("The \"A\""))])
        .await
        .unwrap();
    for (person, name) in nicknames.iter().zip(["Robert 'Bob' Lee", "The 'A'"]) {
        assert_eq!(store.entrant(person.entrant.unwrap()).await.unwrap().unwrap().0, name);
    }
    assert_eq!(nicknames[0].name, "Robert \"Bob\" Lee");
    // A team or a student cannot take the place of somebody else, and a refused roster changes
    // nothing.
    store.set_baseline("baseline: random", "{}", NOW).await.unwrap();
    for team in ["Ann Lee", "baseline: random"] {
        let error =
            store.add_people(&[named("9", "New"), student("3", Some(team))]).await.unwrap_err();
        assert!(error.to_string().contains("already the name of a"), "{error}");
    }
    assert_eq!(store.people().await.unwrap().len(), 4);
    let own = store.add_people(&[named("4", "baseline: random")]).await.unwrap();
    assert_eq!(
        store.entrant(own[0].entrant.unwrap()).await.unwrap().unwrap().0,
        "baseline: random (4)"
    );
}

pub(super) async fn settings_are_set_and_removed(place: Place) {
    let store = place.open().await;
    assert_eq!(store.setting(Setting::Message).await.unwrap(), None);
    store.set(Setting::Message, Some("one")).await.unwrap();
    store.set(Setting::Message, Some("'; DROP TABLE person; --")).await.unwrap();
    store.set(Setting::Frozen, Some("1")).await.unwrap();
    assert_eq!(
        place.open().await.setting(Setting::Message).await.unwrap().unwrap(),
        "'; DROP TABLE person; --"
    );
    store.set(Setting::Message, None).await.unwrap();
    store.set(Setting::Message, None).await.unwrap();
    assert_eq!(store.setting(Setting::Message).await.unwrap(), None);
    assert_eq!(store.setting(Setting::Frozen).await.unwrap().unwrap(), "1");
}

pub(super) async fn the_oldest_session_ends_for_a_new_one(place: Place) {
    let store = place.open().await;
    let ((_, one), (_, other)) = (enrol(&store, "one").await, enrol(&store, "other").await);
    let others = store.new_session(other, NOW, NOW + 1_000).await.unwrap();
    let mut sessions = Vec::new();
    for later in 0..52 {
        sessions.push(store.new_session(one, NOW + later, NOW + 1_000).await.unwrap());
    }
    let mut good = Vec::new();
    for secret in &sessions {
        good.push(store.bearer(Session, secret, NOW + 60).await.unwrap().is_some());
    }
    assert_eq!(good, [vec![false; 2], vec![true; 50]].concat());
    assert!(store.bearer(Session, &others, NOW + 60).await.unwrap().is_some());
}

pub(super) async fn a_question_is_open_until_the_staff_answers(place: Place) {
    let store = place.open().await;
    let (entrant, person) = enrol(&store, "s").await;
    let id = hand_in(&store, (entrant, person), NOW, true).await;
    let teacher =
        NewPerson { login: "t".into(), name: "T".into(), team: None, role: Role::Teacher };
    let teacher = store.add_people(&[teacher]).await.unwrap()[0].id;
    store.remark(id, person, ("a word", false), NOW).await.unwrap();
    assert!(store.questions().await.unwrap().is_empty());
    for at in [NOW + 1, NOW + 2] {
        store.remark(id, person, ("look again", true), at).await.unwrap();
    }
    let open = store.questions().await.unwrap();
    assert_eq!(
        open.iter().map(|one| (one.submission, one.number, one.at)).collect::<Vec<_>>(),
        [(id, 1, NOW + 2)]
    );
    store.remark(id, teacher, ("done", false), NOW + 3).await.unwrap();
    assert!(store.questions().await.unwrap().is_empty());
    let texts: Vec<(String, i64)> =
        store.remarks(id).await.unwrap().into_iter().map(|one| (one.text, one.asks)).collect();
    assert_eq!(texts.len(), 4);
    assert_eq!(texts[1], ("look again".to_string(), 1));
    assert_eq!(store.remarks_since(person, NOW + 2).await.unwrap(), 1);
}
