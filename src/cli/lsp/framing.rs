//! Messages over standard input and output: a header that says how long a message is, and the message as JSON.
//!
//! `lsp_server` reads them too, but makes room for as many bytes as a header promises.

use std::{
    io::{self, BufRead, Read as _},
    thread::{self, JoinHandle},
};

use crossbeam_channel::bounded;
use lsp_server::{Connection, ErrorCode, Message, Notification, RequestId, Response};

/// How many bytes a message has at most.
const MOST_BYTES: u64 = 1 << 26;

/// How many bytes a line of a header has at most.
const LONGEST_LINE: u64 = 1 << 10;

/// What reads and writes.
pub(super) struct Threads {
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Threads {
    /// Waits until both have ended.
    ///
    /// # Errors
    /// A header is malformed, or a message cannot be read or written.
    pub(super) fn join(self) -> io::Result<()> {
        let read = ended(self.reader);
        read.and(ended(self.writer))
    }
}

fn ended(thread: JoinHandle<io::Result<()>>) -> io::Result<()> {
    let ended = thread.join();
    ended.unwrap_or_else(|_| Err(io::Error::other("a thread has panicked")))
}

/// A connection over standard input and output.
///
/// # Errors
/// There can be no more threads.
pub(super) fn stdio() -> io::Result<(Connection, Threads)> {
    let (sender, written) = bounded::<Message>(0);
    let (read, receiver) = bounded::<Message>(0);
    let writer = thread::Builder::new().spawn(move || {
        let mut output = io::stdout().lock();
        written
            .into_iter()
            .try_for_each(|message| message.write(&mut output))
    })?;
    let refused = sender.clone();
    let reader = thread::Builder::new().spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(text) = read_body(&mut input)? {
            let Ok(message) = serde_json::from_slice(&text) else {
                refused.send(refusal(&text)).map_err(io::Error::other)?;
                continue;
            };
            let is_last = matches!(&message, Message::Notification(note) if note.method == "exit");
            read.send(message).map_err(io::Error::other)?;
            if is_last {
                break;
            }
        }
        Ok(())
    })?;
    let connection = Connection { sender, receiver };
    Ok((connection, Threads { reader, writer }))
}

/// The reply to a malformed message: an error response if the message has an id, else a note for the log.
fn refusal(text: &[u8]) -> Message {
    let message = match serde_json::from_slice::<serde_json::Value>(text) {
        Err(error) => format!("a message is not JSON: {error}"),
        Ok(value) => {
            let message = "a message is not one of JSON-RPC".to_string();
            if let Ok(id) = serde_json::from_value::<RequestId>(value["id"].clone()) {
                return Response::new_err(id, ErrorCode::InvalidRequest as i32, message).into();
            }
            message
        }
    };
    // The type 1 is an error.
    let params = serde_json::json!({ "type": 1, "message": message });
    Notification::new("window/logMessage".to_string(), params).into()
}

/// The text of the next message, if there is one.
fn read_body(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        input
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        let Some(line) = line.strip_suffix(b"\r\n") else {
            return Err(invalid("a line of a header does not end in CR LF"));
        };
        if line.is_empty() {
            break;
        }
        let line = str::from_utf8(line).map_err(invalid)?;
        let header = line.split_once(':');
        let (name, value) = header.ok_or_else(|| invalid("a line of a header has no colon"))?;
        if name.eq_ignore_ascii_case("Content-Length") {
            length = Some(value.trim().parse::<u64>().map_err(invalid)?);
        }
    }
    let length = length.ok_or_else(|| invalid("a header does not say how long its message is"))?;
    if length > MOST_BYTES {
        return Err(invalid("a message is longer than 64 MiB"));
    }
    let mut text = Vec::new();
    input.by_ref().take(length).read_to_end(&mut text)?;
    Ok(Some(text))
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
