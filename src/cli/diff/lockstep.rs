//! Two games on the same transcript at once, event by event, as far as they go the same way.

use std::{
    io,
    sync::mpsc::{SyncSender, sync_channel},
    thread,
};

use referee::{
    game::Watched,
    stream::{Event, Item, cause::Cause},
};

/// How many events of one game may wait for those of the other.
const WAITING: usize = 64;

/// The same transcript for both games.
#[derive(Clone, Copy)]
pub(super) struct Transcript<'t> {
    pub(super) form: Option<&'t str>,
    pub(super) name: &'t str,
    pub(super) text: &'t [u8],
}

/// How many events are compared after the first difference.
const FURTHER: usize = 1000;

/// What first makes two games say different things of a transcript, if rows do, and on which of its lines; after it,
/// what else does, each once.
pub(super) fn causes(
    one: &Watched<'_>,
    other: &Watched<'_>,
    transcript: Transcript<'_>,
) -> Vec<(Cause, usize)> {
    thread::scope(|scope| {
        let (left, from_left) = sync_channel(WAITING);
        let (right, from_right) = sync_channel(WAITING);
        scope.spawn(move || send(one, transcript, &left));
        scope.spawn(move || send(other, transcript, &right));
        // Both stop once nobody listens any more.
        Cause::all(from_left.into_iter(), from_right.into_iter(), FURTHER)
    })
}

/// Sends the events of a run until nobody listens.
fn send(game: &Watched<'_>, transcript: Transcript<'_>, events: &SyncSender<Box<Event>>) {
    let mut input = transcript.text;
    // What stops the run is in the report already.
    let _ = game.run(
        transcript.form,
        transcript.name,
        &mut input,
        &mut |item| match item {
            Item::Event(event) => events
                .send(event)
                .map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe)),
            Item::Run(_) | Item::Row(_) | Item::End(_) | Item::Error(_) => Ok(()),
        },
    );
}
