//! `referee diff`: what two games say of the same transcripts.

use std::{fmt::Write as _, path::PathBuf};

use referee::{diagnostic::numbered, failure::Failure, game::Game, library::Library};

use super::{
    Exit, inputs, output, revision,
    screen::Screen,
    settings::{self, Setting},
};

/// The arguments of `diff`.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Arguments {
    /// One game: its name, the path of a rule file, or `REV:PATH`, a file as it is in a revision of git; with
    /// variants, `GAME+VARIANT`
    #[arg(value_name = "A")]
    one: String,
    /// The other game
    #[arg(value_name = "B")]
    other: String,
    /// The transcripts, each a file, a folder, which stands for the files below it that end in `.txt`, or `-`, which is
    /// standard input; that is also read where there is none
    #[arg(value_name = "TRANSCRIPT")]
    inputs: Vec<PathBuf>,
    /// Which of the rule files' forms the transcripts have; they have the first one otherwise
    #[arg(long, value_name = "NAME")]
    transcript: Option<String>,
    /// What `play by random` draws from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Sets an option of both games
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = settings::setting)]
    settings: Vec<Setting>,
}

/// How wide two lines may be side by side, in characters.
const WIDEST: usize = 100;

/// What stands where a report is over.
const OVER: &str = "(nothing more)";

/// Tells where the two games first say different things of each transcript, and of how many they do.
pub(super) fn diff(
    arguments: &Arguments,
    library: &Library,
    screen: &Screen,
) -> anyhow::Result<Exit> {
    let settings = settings::values(&arguments.settings);
    let mut games = Vec::new();
    for name in [&arguments.one, &arguments.other] {
        match revision::load(library, name, &settings) {
            Ok(Ok(game)) => games.push((name.as_str(), game.with_seed(arguments.seed))),
            Ok(Err(unloaded)) => {
                screen.unloaded(&unloaded);
                return Ok(Exit::from(&unloaded));
            }
            Err(message) => {
                screen.error(&message, &[]);
                return Ok(Exit::Usage);
            }
        }
    }
    let [one, other] = games.as_slice() else {
        return Ok(Exit::Usage);
    };
    let inputs = match inputs::meant(&arguments.inputs) {
        Ok(inputs) => inputs,
        Err(message) => {
            screen.error(&message, &[]);
            return Ok(Exit::Usage);
        }
    };
    let (mut same, mut different) = (0, 0);
    let mut exit = Exit::Done;
    for path in &inputs {
        let (name, text) = inputs::read(path);
        let text = match text {
            Ok(text) => text,
            Err(error) => {
                screen.error(&format!("`{name}` cannot be read: {error}"), &[]);
                exit = exit.then(Exit::Machine);
                continue;
            }
        };
        let mut sides = Vec::new();
        for (game_name, game) in [one, other] {
            match said(game, arguments.transcript.as_deref(), &name, &text) {
                Ok(lines) => sides.push((*game_name, lines)),
                Err(failure) => {
                    screen.say(&failure.draw(screen.colour));
                    return Ok(Exit::from(&failure));
                }
            }
        }
        match first_difference(&sides) {
            None => same += 1,
            Some(difference) => {
                different += 1;
                output::write(format!("{name}: {difference}\n"))?;
            }
        }
    }
    output::write(summary(same, different))?;
    if different > 0 {
        exit = exit.then(Exit::No);
    }
    Ok(exit)
}

/// What a game says of a transcript, line by line, and what stops it.
///
/// # Errors
/// There is no transcript of this form.
fn said(game: &Game, form: Option<&str>, name: &str, text: &[u8]) -> Result<Vec<String>, Failure> {
    let mut report = Vec::new();
    let ended = game.run(form, name, &mut &*text, &mut report);
    let report = String::from_utf8_lossy(&report);
    let mut lines: Vec<String> = report.lines().map(ToString::to_string).collect();
    match ended {
        Ok(()) => {}
        Err(failure @ Failure::NoTranscript(_)) => return Err(failure),
        Err(failure) => {
            // The place is part of it: the same may be said of another line.
            let drawn = failure.draw(referee::diagnostic::Colour::Never);
            let headline = drawn.lines().next().unwrap_or_default().to_string();
            let place = failure.report().map(|report| {
                let position = report.sources.position(report.diagnostic.span);
                format!(" ({}:{})", position.line, position.column)
            });
            lines.push(headline + &place.unwrap_or_default());
        }
    }
    Ok(lines)
}

/// The first line that is not the same on both sides, side by side.
fn first_difference(sides: &[(&str, Vec<String>)]) -> Option<String> {
    let [(one, left), (other, right)] = sides else {
        return None;
    };
    let most = left.len().max(right.len());
    let index = (0..most).find(|index| left.get(*index) != right.get(*index))?;
    let line = |lines: &[String]| {
        let line = lines.get(index).map_or(OVER, String::as_str);
        line.to_string()
    };
    let (left, right) = (line(left), line(right));
    let wide = |text: &str| text.chars().count();
    let width = wide(one).max(wide(&left));
    let mut text = format!("line {} of the report differs\n", index + 1);
    if width + wide(other).max(wide(&right)) > WIDEST {
        let _ = write!(text, "  {one}\n    {left}\n  {other}\n    {right}");
    } else {
        let _ = write!(text, "  {one:width$} | {other}\n  {left:width$} | {right}");
    }
    Some(text)
}

/// `2 reports are the same, 1 differs`
fn summary(same: usize, different: usize) -> String {
    let are = if same == 1 { "is" } else { "are" };
    let differ = if different == 1 { "differs" } else { "differ" };
    format!(
        "{} {are} the same, {different} {differ}\n",
        numbered(same, "report")
    )
}
