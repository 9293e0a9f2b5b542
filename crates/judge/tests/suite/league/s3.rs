//! A league whose files lie in a store that speaks S3: a server of moto's, which checks every signature.

use super::place::{Answer, Ask, League, ROSTER, SHORT, starter};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// What the store lets its one user do.
const POLICY: &str = r#"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}"#;
/// Requests to make a bucket and a user, after which each needs a signature.
const FIRST_REQUESTS: &str = "5";

/// A server that speaks S3, with one bucket and one user.
struct Store {
    child: Child,
    address: String,
    keys: [String; 2],
}

impl Store {
    fn start() -> Store {
        let program = std::env::var("MOTO_SERVER").unwrap_or_else(|_| "moto_server".to_string());
        let mut command = Command::new(&program);
        command.args(["-H", "127.0.0.1", "-p", "0"]).env("INITIAL_NO_AUTH_ACTION_COUNT", FIRST_REQUESTS);
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut child =
            child.unwrap_or_else(|error| panic!("{program}: {error}; pip install 'moto[server]', or set MOTO_SERVER"));
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let line = lines.find(|line| line.contains("Running on http://")).expect("it says where it listens");
        let address = line.rsplit_once("http://").unwrap().1.trim().to_string();
        // Otherwise it would wait for whoever reads its lines.
        std::thread::spawn(move || lines.for_each(drop));
        let mut store = Store { child, address, keys: Default::default() };
        assert_eq!(store.ask("PUT", "/bucket", "s3", "").status, 200);
        store.iam("Action=CreateUser&UserName=league");
        let made = store.iam("Action=CreateAccessKey&UserName=league");
        let part = |name: &str| {
            let after = made.split_once(&format!("<{name}>")).unwrap().1;
            after.split_once('<').unwrap().0.to_string()
        };
        store.keys = [part("AccessKeyId"), part("SecretAccessKey")];
        let policy: String = POLICY.bytes().map(|byte| format!("%{byte:02X}")).collect();
        store.iam(&format!("Action=PutUserPolicy&UserName=league&PolicyName=all&PolicyDocument={policy}"));
        // The last one that nobody signs.
        assert_eq!(store.ask("GET", "/bucket?list-type=2", "s3", "").status, 200);
        assert_eq!(store.ask("GET", "/bucket?list-type=2", "s3", "").status, 403, "the store checks signatures");
        store
    }

    fn ask(&self, method: &str, path: &str, service: &str, form: &str) -> Answer {
        let headers = vec![
            ("Host".to_string(), self.address.clone()),
            (
                "Authorization".to_string(),
                format!(
                    "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/{service}/aws4_request, SignedHeaders=host, Signature=x"
                ),
            ),
        ];
        Ask { address: self.address.clone(), method: method.into(), path: path.into(), headers, body: Vec::new() }
            .form(form)
            .send()
    }

    fn iam(&self, form: &str) -> String {
        let answer = self.ask("POST", "/", "iam", &format!("{form}&Version=2010-05-08"));
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.text()
    }

    /// Has a league use it.
    fn lend(&self, league: &mut League) {
        league.environment = [("AWS_ACCESS_KEY_ID", &self.keys[0]), ("AWS_SECRET_ACCESS_KEY", &self.keys[1])]
            .map(|(name, value)| (name, value.clone()))
            .to_vec();
    }

    fn table(&self, url: &str) -> String {
        format!("[files]\nendpoint = \"http://{}\"\nurl = \"{url}\"\n#", self.address)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn league(store: &Store) -> League {
    let table = store.table("s3://bucket/courses/autumn");
    let mut league = League::new(&[SHORT, &[("# [files]\n#", table.as_str())]].concat(), ROSTER);
    store.lend(&mut league);
    league
}

#[test]
#[ignore = "needs the feature s3 and moto; make test-league runs it"]
fn a_league_lives_in_a_store_and_outlives_its_loss() {
    let store = Store::start();
    let mut league = league(&store);
    league.serve(&["--workers", "2"]);
    let [ann, cem, teo] = ["ann", "cem", "teo"].map(|login| league.sign_in(login));
    // Programs do not get the keys of the store.
    let curious = "import os, sys\nif [name for name in os.environ if 'AWS' in name]: sys.exit(3)\n";
    let id = league.hand_in(&ann, "homework.py", (curious.to_string() + &starter()).as_bytes());
    let (state, report) = league.checked(&ann, id);
    assert_eq!(state, "plays", "{report}");
    league.hand_in_starter(&cem);
    league.wait_for_games(4);
    let upload = league.ask("GET", &format!("/staff/submissions/{id}/upload")).session(&teo).send();
    assert_eq!(upload.body, (curious.to_string() + &starter()).into_bytes());
    assert_eq!(league.ask("GET", "/games/1/replay").session(&teo).send().status, 200);
    assert!(!league.path().join("files").exists(), "nothing lies in the directory");
    league.command(&["backup", "course", "copy.tar"], 0);
    league.kill();
    league.is_well();
    league.command(&["records", "course", "all.jsonl"], 0);
    assert!(league.command(&["likeness", "course"], 0).contains("of the smaller one"));
    // The store is lost, and the league's directory with it: the backup has everything.
    drop(store);
    let store = Store::start();
    store.lend(&mut league);
    let old = std::fs::read_to_string(league.path().join("league.toml")).unwrap();
    let address =
        |settings: &str| settings.split_once("endpoint = \"").unwrap().1.split_once('"').unwrap().0.to_string();
    // The archive names the old store, whose port is another one's now: the new store gets another address.
    let said = league.command(&["restore", "again", "copy.tar"], 2);
    assert!(said.contains("cannot be"), "{said}");
    let moved = old.replace(&address(&old), &format!("http://{}", store.address));
    std::fs::write(league.path().join("league.toml"), &moved).unwrap();
    let said = league.command(&["check", "course"], 1);
    assert!(
        said.contains(&format!("submission {id}: its upload")) && said.contains("its record cannot be read"),
        "{said}"
    );
    let folder = league.directory.path().join("unpacked");
    std::fs::create_dir(&folder).unwrap();
    let tar = |words: &[&str]| {
        let status = Command::new("tar").args(words).current_dir(&folder).status().unwrap();
        assert!(status.success());
    };
    tar(&["-xf", "../copy.tar"]);
    std::fs::write(folder.join("league.toml"), &moved).unwrap();
    tar(&["-cf", "../moved.tar", "league.toml", "league.sqlite", "files"]);
    league.command(&["restore", "restored", "moved.tar"], 0);
    assert!(!league.directory.path().join("restored/files").exists());
    assert_eq!(league.command(&["check", "restored"], 0), "all is well\n");
    // It plays on.
    std::fs::remove_dir_all(league.path()).unwrap();
    std::fs::rename(league.directory.path().join("restored"), league.path()).unwrap();
    let games = league.games();
    league.serve(&["--workers", "1"]);
    league.wait_for_games(games + 2);
    league.kill();
    league.is_well();
}

#[test]
#[ignore = "needs the feature s3 and moto; make test-league runs it"]
fn a_store_that_fails_is_told_and_confirms_nothing() {
    let store = Store::start();
    let mut league = league(&store);
    let serve = ["serve", "course", "--port", "0", "--workers", "0"];
    let keys = league.environment.clone();
    league.environment[1].1 = "wrong".to_string();
    let said = league.command(&serve, 2);
    assert!(said.contains("the store of files cannot be written"), "{said}");
    league.environment = keys;
    league.change(&[("s3://bucket/", "s3://another-bucket/")]);
    let said = league.command(&serve, 2);
    assert!(said.contains("the store of files cannot be written"), "{said}");
    league.change(&[("s3://another-bucket/", "s3://bucket/")]);
    league.serve(&["--workers", "0"]);
    let ann = league.sign_in("ann");
    league.hand_in(&ann, "homework.py", starter().as_bytes());
    drop(store);
    let answer = league.ask("POST", "/submissions").session(&ann).file("second.py", b"print()").send();
    assert_eq!(answer.status, 500, "{}", answer.text());
    assert_eq!(league.ask("GET", "/mine").session(&ann).send().status, 200);
    assert_eq!(league.sql("SELECT COUNT(*) FROM submission"), "1");
    // Whether something is missing cannot be told.
    assert!(league.command(&["check", "course"], 2).contains("cannot be looked for"));
}

#[test]
fn a_store_that_is_named_wrongly_is_refused() {
    let league = League::new(SHORT, ROSTER);
    for (table, part) in [
        ("url = \"s3:/x\"", "league.toml: files.url: expected s3://BUCKET/PREFIX"),
        ("url = \"s3://b\"\nendpoint = \"minio:9000\"", "league.toml: files.endpoint: expected an address"),
        ("urls = \"s3://b\"", "unknown field `urls`"),
        ("endpoint = \"https://minio.school.example\"", "missing field `url`"),
        (
            "url = \"s3://b\"\nendpoint = \"http://minio.school.example\"",
            if cfg!(feature = "s3") { "AWS_ALLOW_HTTP=true" } else { "--features s3" },
        ),
    ] {
        let file = league.path().join("league.toml");
        let settings = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("{settings}\n[files]\n{table}\n")).unwrap();
        let said = league.command(&["check", "course"], 2);
        assert!(said.contains(part), "{said}");
        std::fs::write(&file, settings).unwrap();
    }
}
