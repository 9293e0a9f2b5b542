//! Two answers for a browser on this machine: the page, and the game's data. Written out here since this is all that is
//! needed, with limits of time and size for whoever connects; no part of a request but its path is used.

use super::live::Live;
use anyhow::{Context, Result};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

const PAGE: &str = include_str!("page.html");
/// A request has to come within this, and its answer to leave.
const LIMIT: Duration = Duration::from_secs(2);
/// No browser's request is longer, in bytes.
const LONGEST_REQUEST: usize = 16 << 10;
/// Requests at a time.
const MOST: usize = 16;

/// Serves until the process ends.
pub fn serve(port: u16, live: Live) -> Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .with_context(|| format!("--http {port}: the port cannot be listened on"))?;
    let address = listener.local_addr()?;
    let running = Arc::new(AtomicUsize::new(0));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            if running.load(SeqCst) >= MOST {
                continue;
            }
            running.fetch_add(1, SeqCst);
            let (live, running) = (live.clone(), running.clone());
            thread::spawn(move || {
                // A browser that goes away is no concern of the game's.
                let _ = answer(stream, &live);
                running.fetch_sub(1, SeqCst);
            });
        }
    });
    Ok(address)
}

fn answer(mut stream: TcpStream, live: &Live) -> std::io::Result<()> {
    stream.set_write_timeout(Some(LIMIT))?;
    let end = Instant::now() + LIMIT;
    let mut request = Vec::new();
    let mut part = [0; 2_048];
    while !request.windows(4).any(|window| window == b"\r\n\r\n") {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || request.len() > LONGEST_REQUEST {
            return Ok(());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut part)? {
            0 => return Ok(()),
            count => request.extend_from_slice(&part[..count]),
        }
    }
    let line = String::from_utf8_lossy(request.split(|&byte| byte == b'\r').next().unwrap_or_default()).into_owned();
    let words: Vec<&str> = line.split(' ').collect();
    let (status, kind, body) = match words[..] {
        ["GET", "/", _] => ("200 OK", "text/html; charset=utf-8", PAGE.to_string()),
        ["GET", "/game.json", _] => ("200 OK", "application/json", live.data()),
        ["GET", ..] => ("404 Not Found", "text/plain", "there are / and /game.json\n".to_string()),
        _ => ("405 Method Not Allowed", "text/plain", "only GET\n".to_string()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())
}
