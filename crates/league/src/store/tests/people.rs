use super::super::CredentialKind::{Feed, Link, Session, Token, Worker};
use super::super::{NewPerson, Role, Setting};
use super::place::{NOW, TestStore, enrol, enrol_all, hand_in, student};

fn teacher() -> NewPerson {
    NewPerson { name: "Teo".into(), role: Role::Teacher, ..student("t", None) }
}

pub(super) async fn secrets_are_good_for_one_thing_and_until_they_expire(store: TestStore) {
    let (_, person) = enrol(&store, "s").await;
    let until = (NOW, NOW + 100);
    let mut secrets = Vec::new();
    for kind in [Link, Session, Token, Worker, Feed] {
        let secret = store.new_credential(kind, Some(person), "label", until).await.unwrap();
        secrets.push((kind, secret));
    }
    let redeem = async |secret: &str, now| store.redeem_link(secret, now, NOW + 200).await.unwrap();
    for (kind, secret) in &secrets {
        assert_eq!(secret.len(), 43);
        for asked in [Link, Session, Token, Feed] {
            let found = store.bearer(asked, secret, NOW + 99).await.unwrap();
            assert_eq!(found.is_some(), *kind == asked, "{kind:?} as {asked:?}");
            assert!(store.bearer(asked, secret, NOW + 100).await.unwrap().is_none(), "expired");
        }
        assert_eq!(store.worker(secret, NOW).await.unwrap().is_some(), *kind == Worker);
        if *kind != Link {
            assert!(redeem(secret, NOW).await.is_none(), "{kind:?} is no link");
        }
        let kept: Option<(i64,)> = sqlx::query_as("SELECT 1 FROM credential WHERE hash = $1")
            .bind(secret)
            .fetch_optional(&store.read)
            .await
            .unwrap();
        assert!(kept.is_none(), "only a hash is kept");
    }
    let (_, link) = &secrets[0];
    assert!(redeem(link, NOW + 100).await.is_none(), "expired");
    let session = redeem(link, NOW + 99).await.unwrap();
    assert!(redeem(link, NOW + 99).await.is_none(), "used");
    assert_eq!(store.bearer(Session, &session, NOW + 199).await.unwrap().unwrap().login, "s");
    store.forget_secret(&session).await.unwrap();
    assert!(store.bearer(Session, &session, NOW + 199).await.unwrap().is_none());
    let cluster = store.new_credential(Worker, None, "cluster", until).await.unwrap();
    assert_eq!(store.worker(&cluster, NOW).await.unwrap().unwrap(), "cluster");
    store.forget_tokens(person, "label").await.unwrap();
    assert!(store.tokens(person).await.unwrap().is_empty());
}

pub(super) async fn a_roster_that_is_read_again_changes_and_adds(store: TestStore) {
    let of_team = |login| student(login, Some("The A"));
    let add = async |people: &[NewPerson]| store.add_people(people).await.unwrap();
    let first = add(&[of_team("a"), of_team("b"), teacher()]).await;
    assert_eq!(first[0].entrant, first[1].entrant);
    assert_eq!((first[2].entrant, first[2].role), (None, Role::Teacher));
    let second = add(&[of_team("a"), student("b", None), student("c", None)]).await;
    assert_eq!((second[0].id, second[0].entrant), (first[0].id, first[0].entrant));
    assert_eq!(second[1].id, first[1].id);
    assert_ne!(second[1].entrant, first[1].entrant);
    let third = add(&[student("b", None)]).await;
    assert_eq!(third[0].entrant, second[1].entrant, "one's own entrant stays");
    assert_eq!(store.people().await.unwrap().len(), 4);
    assert_eq!(store.person_by_login("t").await.unwrap().unwrap().name, "Teo");
    assert!(store.person_by_login("nobody").await.unwrap().is_none());
}

pub(super) async fn names_meet_in_one_league(store: TestStore) {
    let named = |login: &str, name: &str| NewPerson { name: name.into(), ..student(login, None) };
    let twins = store.add_people(&[named("1", "Ann Lee"), named("2", "Ann Lee")]).await.unwrap();
    let name = async |entrant: i64| store.entrant(entrant).await.unwrap().unwrap().0;
    for (person, expected) in twins.iter().zip(["Ann Lee", "Ann Lee (2)"]) {
        assert_eq!(name(person.entrant.unwrap()).await, expected);
    }
    // A team or a student cannot take the place of somebody else, and a refused roster changes
    // nothing.
    store.set_baseline("baseline: random", "{}", NOW).await.unwrap();
    for team in ["Ann Lee", "baseline: random"] {
        let error =
            store.add_people(&[named("9", "New"), student("3", Some(team))]).await.unwrap_err();
        assert!(error.to_string().contains("already the name of a"), "{error}");
    }
    assert_eq!(store.people().await.unwrap().len(), 2);
    let own = store.add_people(&[named("4", "baseline: random")]).await.unwrap();
    assert_eq!(name(own[0].entrant.unwrap()).await, "baseline: random (4)");
}

pub(super) async fn settings_are_set_and_removed(store: TestStore) {
    let nasty = Some("'; DROP TABLE person; --");
    store.set(Setting::Frozen, Some("1")).await.unwrap();
    for text in [None, Some("one"), nasty, None, None] {
        store.set(Setting::Message, text).await.unwrap();
        let other = store.open().await;
        assert_eq!(other.setting(Setting::Message).await.unwrap().as_deref(), text);
    }
    assert_eq!(store.setting(Setting::Frozen).await.unwrap().unwrap(), "1");
}

pub(super) async fn the_oldest_session_ends_for_a_new_one(store: TestStore) {
    let [(_, one), (_, other)] = enrol_all(&store, ["one", "other"]).await;
    let others = store.new_session(other, NOW, NOW + 1_000).await.unwrap();
    let mut sessions = Vec::new();
    for later in 0..52 {
        sessions.push(store.new_session(one, NOW + later, NOW + 1_000).await.unwrap());
    }
    for (at, secret) in sessions.iter().enumerate() {
        assert_eq!(store.bearer(Session, secret, NOW + 60).await.unwrap().is_some(), at >= 2);
    }
    assert!(store.bearer(Session, &others, NOW + 60).await.unwrap().is_some());
}

pub(super) async fn a_question_is_open_until_the_staff_answers(store: TestStore) {
    let (entrant, person) = enrol(&store, "s").await;
    let id = hand_in(&store, (entrant, person), NOW, true).await;
    let teacher = store.add_people(&[teacher()]).await.unwrap()[0].id;
    store.remark(id, person, ("a word", false), NOW).await.unwrap();
    assert!(store.questions().await.unwrap().is_empty());
    for at in [NOW + 1, NOW + 2] {
        store.remark(id, person, ("look again", true), at).await.unwrap();
    }
    let open = store.questions().await.unwrap();
    assert!(open.iter().map(|one| (one.submission, one.number, one.at)).eq([(id, 1, NOW + 2)]));
    store.remark(id, teacher, ("done", false), NOW + 3).await.unwrap();
    assert!(store.questions().await.unwrap().is_empty());
    let remarks = store.remarks(id).await.unwrap();
    assert_eq!((remarks.len(), &*remarks[1].text, remarks[1].asks), (4, "look again", 1));
    assert_eq!(store.remarks_since(person, NOW + 2).await.unwrap(), 1);
}
