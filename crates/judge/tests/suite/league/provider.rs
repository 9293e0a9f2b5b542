//! An account server that speaks OpenID Connect on a real socket, and answers wrongly where a test wants it to.

use crate::common::text;
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::rsa::PublicKeyComponents;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, RSA_PKCS1_SHA256, RsaKeyPair};
use ring::{digest, hmac};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tempfile::TempDir;

/// The league's address, which a proxy has in these tests.
pub(crate) const ADDRESS: (&str, &str) =
    ("# address = \"https://league.school.example\"", "address = \"https://league.school.example\"");
/// Where the provider sends browsers back.
pub(crate) const REDIRECT: &str = "https://league.school.example/openid/answer";

/// The name of the league at the provider, and its secret. Both have characters that a header has to escape.
const CLIENT: &str = "the league";
const SECRET: &str = "se:cret+%/word";

/// What a provider does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    Nonce,
    NoNonce,
    Audience,
    TwoAudiences,
    Expired,
    ForeignKey,
    AlgorithmNone,
    SignedWithSecret,
    SignedWithPublicKey,
    Issuer,
    NoIdToken,
    NoToken,
    TakesNoCode,
    Elsewhere,
    Endless,
    Hangs,
    NoJson,
}

/// An account server.
pub(crate) struct Provider {
    pub state: Arc<Mutex<State>>,
    pub address: String,
    directory: TempDir,
}

/// The provider's state, which a test changes while it runs.
pub(crate) struct State {
    pub fault: Fault,
    /// The claims of whoever sits at the browser.
    pub person: Value,
    pub key: Key,
    /// The requests so far: method and path.
    pub asked: Vec<String>,
    foreign: Key,
    /// The parameters of the sign-ins that have a code.
    codes: HashMap<String, HashMap<String, String>>,
}

/// A key that signs tokens.
pub(crate) enum Key {
    Rsa(RsaKeyPair),
    P256(EcdsaKeyPair),
}

impl Key {
    /// A new RSA key, by OpenSSL.
    pub(crate) fn rsa() -> Key {
        let words = ["genpkey", "-quiet", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"];
        let output = Command::new("openssl").args(words).output().expect("this test needs openssl");
        assert!(output.status.success(), "{}", text(&output.stderr));
        let pem = text(&output.stdout);
        let lines: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
        Key::Rsa(RsaKeyPair::from_pkcs8(&BASE64_STANDARD.decode(lines).unwrap()).unwrap())
    }

    /// A new key of the curve P-256.
    pub(crate) fn p256() -> Key {
        let random = SystemRandom::new();
        let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        Key::P256(EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, made.as_ref(), &random).unwrap())
    }

    /// The name of the key: a hash of its public part.
    fn id(&self) -> String {
        let public = match self {
            Key::Rsa(key) => key.public_key().as_ref(),
            Key::P256(key) => key.public_key().as_ref(),
        };
        encode(&digest::digest(&digest::SHA256, public).as_ref()[..8])
    }

    fn algorithm(&self) -> &'static str {
        match self {
            Key::Rsa(_) => "RS256",
            Key::P256(_) => "ES256",
        }
    }

    /// The public part, as others get it.
    fn public(&self) -> Value {
        let known = json!({"kid": self.id(), "alg": self.algorithm(), "use": "sig"});
        let mut shape = match self {
            Key::Rsa(key) => {
                let parts = PublicKeyComponents::<Vec<u8>>::from(key.public());
                json!({"kty": "RSA", "n": encode(&parts.n), "e": encode(&parts.e)})
            }
            Key::P256(key) => {
                let point = key.public_key().as_ref();
                json!({"kty": "EC", "crv": "P-256", "x": encode(&point[1..33]), "y": encode(&point[33..])})
            }
        };
        shape.as_object_mut().unwrap().extend(known.as_object().unwrap().clone());
        shape
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match self {
            Key::Rsa(key) => {
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature).unwrap();
                signature
            }
            Key::P256(key) => key.sign(&random, message).unwrap().as_ref().to_vec(),
        }
    }
}

impl Provider {
    /// Starts a server on a free port.
    pub(crate) fn start() -> Provider {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let state = State {
            fault: Fault::None,
            person: json!({"sub": "cem"}),
            key: Key::rsa(),
            asked: Vec::new(),
            foreign: Key::rsa(),
            codes: HashMap::new(),
        };
        let state = Arc::new(Mutex::new(state));
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("openid.secret"), format!("{SECRET}\n")).unwrap();
        let (shared, own) = (Arc::clone(&state), address.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (shared, own) = (Arc::clone(&shared), own.clone());
                std::thread::spawn(move || answer(stream, &shared, &own));
            }
        });
        Provider { state, address, directory }
    }

    /// The table of `league.toml` for this provider.
    pub(crate) fn table(&self, claim: &str) -> String {
        format!(
            "[openid]\nissuer = \"{}\"\nclient-id = \"{CLIENT}\"\nclient-secret-file = \"{}\"\nclaim = \"{claim}\"\nbutton = \"School <account>\"\n",
            self.address,
            self.secret_file().display()
        )
    }

    pub(crate) fn secret_file(&self) -> PathBuf {
        self.directory.path().join("openid.secret")
    }

    /// From now on, somebody else sits at the browser.
    pub(crate) fn person(&self, claims: Value) {
        self.state.lock().unwrap().person = claims;
    }

    pub(crate) fn fault(&self, fault: Fault) {
        self.state.lock().unwrap().fault = fault;
    }

    /// What a browser does that was sent here: somebody signs in, and the browser is sent back. Returns the address.
    #[track_caller]
    pub(crate) fn visit(&self, address: &str) -> String {
        let path = address.strip_prefix(&self.address).unwrap_or_else(|| panic!("{address} is another server"));
        let mut stream = TcpStream::connect(self.address.strip_prefix("http://").unwrap()).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let location = answer.lines().find_map(|line| line.strip_prefix("Location: "));
        location.unwrap_or_else(|| panic!("{answer}")).to_string()
    }
}

fn encode(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// The parameters of a query or a form.
pub(crate) fn parameters(query: &str) -> HashMap<String, String> {
    query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(key, value)| (decoded(key), decoded(value)))
        .collect()
}

fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, after @ ..] = rest {
        let hex = after.get(..2).and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        match (first, hex) {
            (b'%', Some(byte)) => (bytes.push(byte), rest = &after[2..]).1,
            (b'+', _) => (bytes.push(b' '), rest = after).1,
            (byte, _) => (bytes.push(*byte), rest = after).1,
        }
    }
    text_of(bytes)
}

fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// Answers one request.
fn answer(mut stream: TcpStream, state: &Mutex<State>, address: &str) {
    let Some((head, body)) = request(&mut stream) else { return };
    let path = head.split(' ').nth(1).unwrap_or_default().to_string();
    let (path, query) = path.split_once('?').unwrap_or((&path, ""));
    let mut state = state.lock().unwrap();
    state.asked.push(format!("{} {path}", head.split(' ').next().unwrap()));
    let (status, extra, body) = match path {
        "/.well-known/openid-configuration" => ("200 OK", String::new(), description(address).to_string()),
        "/keys" => ("200 OK", String::new(), json!({"keys": [state.key.public()]}).to_string()),
        "/sign-in" => ("302 Found", format!("Location: {}\r\n", state.sign_in(parameters(query))), String::new()),
        "/token" => match state.fault {
            Fault::Hangs => {
                drop(state);
                std::thread::sleep(Duration::from_secs(60));
                return;
            }
            Fault::Endless => {
                drop(state);
                let _ =
                    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"access_token\":\"");
                while stream.write_all(&[b'x'; 1 << 16]).is_ok() {}
                return;
            }
            Fault::NoJson => ("200 OK", String::new(), "<html>".to_string()),
            // A client that follows the redirect gets a right answer there.
            Fault::Elsewhere => {
                ("307 Temporary Redirect", format!("Location: {address}/other-token\r\n"), String::new())
            }
            Fault::TakesNoCode => ("400 Bad Request", String::new(), json!({"error": "invalid_grant"}).to_string()),
            _ => match state.token(&head, &parameters(&body), address) {
                Ok(answer) => ("200 OK", String::new(), answer.to_string()),
                Err(why) => (
                    "400 Bad Request",
                    String::new(),
                    json!({"error": "invalid_request", "error_description": why}).to_string(),
                ),
            },
        },
        "/other-token" => match state.token(&head, &parameters(&body), address) {
            Ok(answer) => ("200 OK", String::new(), answer.to_string()),
            Err(why) => ("400 Bad Request", String::new(), json!({"error": why}).to_string()),
        },
        _ => ("404 Not Found", String::new(), String::new()),
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{extra}Content-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    let _ = stream.write_all((head + &body).as_bytes());
}

/// Reads a request: its head and its body.
fn request(stream: &mut TcpStream) -> Option<(String, String)> {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = text(&bytes[..end]);
            let length =
                head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if bytes.len() >= end + 4 + length.unwrap_or(0) {
                return Some((head, text(&bytes[end + 4..])));
            }
        }
        match stream.read(&mut buffer).ok()? {
            0 => return None,
            count => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}

fn description(address: &str) -> Value {
    json!({
        "issuer": address,
        "authorization_endpoint": format!("{address}/sign-in"),
        "token_endpoint": format!("{address}/token"),
        "jwks_uri": format!("{address}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256", "none"],
    })
}

impl State {
    /// Somebody signs in. Returns where the browser goes.
    fn sign_in(&mut self, asked: HashMap<String, String>) -> String {
        let value = |key: &str| asked.get(key).map(String::as_str).unwrap_or_default();
        let expected = [("client_id", CLIENT), ("response_type", "code"), ("code_challenge_method", "S256")];
        for (key, wanted) in expected {
            assert_eq!(value(key), wanted, "{key}");
        }
        assert!(value("scope").split(' ').any(|scope| scope == "openid"), "{asked:?}");
        for key in ["state", "nonce", "code_challenge"] {
            assert!(value(key).len() >= 43, "{key}: {asked:?}");
        }
        let code = format!("code-{}", self.codes.len());
        let address = format!("{}?state={}&code={code}", value("redirect_uri"), value("state"));
        self.codes.insert(code, asked);
        address
    }

    /// Exchanges a code.
    fn token(&mut self, head: &str, form: &HashMap<String, String>, address: &str) -> Result<Value, &'static str> {
        let basic = head.lines().find_map(|line| line.strip_prefix("authorization: Basic ")).ok_or("no credentials")?;
        let basic = text_of(BASE64_STANDARD.decode(basic).map_err(|_| "credentials")?);
        let (user, word) = basic.split_once(':').ok_or("credentials")?;
        if (decoded(user).as_str(), decoded(word).as_str()) != (CLIENT, SECRET) {
            return Err("wrong credentials");
        }
        let value = |key: &str| form.get(key).map(String::as_str).unwrap_or_default();
        let asked = self.codes.remove(value("code")).ok_or("no such code")?;
        let challenge = encode(digest::digest(&digest::SHA256, value("code_verifier").as_bytes()).as_ref());
        if challenge != asked["code_challenge"] || value("redirect_uri") != asked["redirect_uri"] {
            return Err("another sign-in");
        }
        let mut answer =
            json!({"access_token": "a", "token_type": "Bearer", "id_token": self.id_token(address, &asked["nonce"])});
        match self.fault {
            Fault::NoIdToken => drop(answer.as_object_mut().unwrap().remove("id_token")),
            Fault::NoToken => answer = json!({}),
            _ => (),
        }
        Ok(answer)
    }

    /// A token for whoever sits at the browser.
    fn id_token(&self, address: &str, nonce: &str) -> String {
        let now = i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()).unwrap();
        let mut claims =
            json!({"iss": address, "aud": CLIENT, "sub": "0", "nonce": nonce, "iat": now, "exp": now + 300});
        let set = |claims: &mut Value, key: &str, value: Value| {
            drop(claims.as_object_mut().unwrap().insert(key.into(), value))
        };
        for (key, value) in self.person.as_object().unwrap() {
            set(&mut claims, key, value.clone());
        }
        match self.fault {
            Fault::Nonce => set(&mut claims, "nonce", json!("A".repeat(43))),
            Fault::NoNonce => drop(claims.as_object_mut().unwrap().remove("nonce")),
            Fault::Audience => set(&mut claims, "aud", json!("another league")),
            Fault::TwoAudiences => set(&mut claims, "aud", json!([CLIENT, "another league"])),
            Fault::Expired => set(&mut claims, "exp", json!(now - 1)),
            Fault::Issuer => set(&mut claims, "iss", json!(format!("{address}/other"))),
            _ => (),
        }
        let key = if self.fault == Fault::ForeignKey { &self.foreign } else { &self.key };
        let algorithm = match self.fault {
            Fault::AlgorithmNone => "none",
            Fault::SignedWithSecret | Fault::SignedWithPublicKey => "HS256",
            _ => key.algorithm(),
        };
        // A foreign key goes by the name of the right one.
        let header = json!({"alg": algorithm, "kid": self.key.id(), "typ": "JWT"});
        let signed = format!("{}.{}", encode(header.to_string().as_bytes()), encode(claims.to_string().as_bytes()));
        let by_word =
            |word: &[u8]| hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, word), signed.as_bytes()).as_ref().to_vec();
        let signature = match self.fault {
            Fault::AlgorithmNone => Vec::new(),
            Fault::SignedWithSecret => by_word(SECRET.as_bytes()),
            Fault::SignedWithPublicKey => by_word(self.key.public().to_string().as_bytes()),
            _ => key.sign(signed.as_bytes()),
        };
        format!("{signed}.{}", encode(&signature))
    }
}
