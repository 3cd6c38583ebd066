//! A transcript that is played by several threads is reported on as by one: the same lines, the same end, the same
//! message, also where something is wrong in the middle, and where words look like the beginning of a game.

mod reference;
mod support;

use std::{fs, io, path::Path};

use referee::{
    diagnostic::Colour,
    failure::Failure,
    game::{Game, Threads},
};
use reference::{generate, mau_mau, random::Random, snooker, weiqi};
use support::load;

/// A game, a form of its transcripts, and what generates one with so many games.
struct Sort {
    game: &'static str,
    form: Option<&'static str>,
    games: u64,
    generate: fn(u64, &mut Random, &mut Vec<u8>) -> io::Result<u64>,
}

const SORTS: [Sort; 5] = [
    Sort {
        game: "snooker",
        form: None,
        games: 40,
        generate: |games, random, out| {
            generate::snooker::generate_large(&snooker::Rules::default(), games, random, out)
        },
    },
    Sort {
        game: "snooker-chance",
        form: None,
        games: 2000,
        generate: |games, random, out| generate::snooker_chance::generate_large(games, random, out),
    },
    Sort {
        game: "weiqi",
        form: None,
        games: 12,
        generate: |games, random, out| {
            generate::weiqi::generate_large(&weiqi::Rules::default(), games, random, out)
        },
    },
    Sort {
        game: "mau-mau",
        form: None,
        games: 80,
        generate: |games, random, out| {
            generate::mau_mau::generate_large(&mau_mau::Rules::default(), games, random, out)
        },
    },
    Sort {
        game: "mau-mau",
        form: Some("moves"),
        games: 60,
        generate: |games, random, out| {
            generate::mau_mau::generate_large_moves(&mau_mau::Rules::default(), games, random, out)
        },
    },
];

impl Sort {
    fn text(&self, seed: u64) -> Vec<u8> {
        let mut text = Vec::new();
        (self.generate)(self.games, &mut Random::new(seed), &mut text)
            .expect("a vector takes it all");
        text
    }
}

/// What is written, how much at once at most, and what is said of the end.
struct Run {
    report: Vec<u8>,
    most: usize,
    end: String,
}

impl io::Write for Run {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.most = self.most.max(bytes.len());
        self.report.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A run on so many threads, or on one as ever.
fn run(game: &Game, form: Option<&str>, mut text: &[u8], threads: Option<Threads>) -> Run {
    let mut run = Run {
        report: Vec::new(),
        most: 0,
        end: String::new(),
    };
    let ran = match threads {
        None => game.run(form, "transcript", &mut text, &mut run),
        Some(threads) => game.run_on_threads(threads, form, "transcript", &mut text, &mut run),
    };
    run.end = match &ran {
        Ok(()) => String::new(),
        Err(failure @ (Failure::Input(_) | Failure::Output(_))) => format!("{failure:?}"),
        Err(failure) => failure.draw(Colour::Never),
    };
    run
}

/// Both ways say the same; gives what one thread says.
fn agree(game: &Game, form: Option<&str>, text: &[u8], piece: usize, what: &str) -> Run {
    let alone = run(game, form, text, None);
    let together = run(game, form, text, Some(Threads { count: 3, piece }));
    let written = |run: &Run| format!("{}{}", String::from_utf8_lossy(&run.report), run.end);
    assert_eq!(
        written(&together),
        written(&alone),
        "{what}, pieces of {piece}"
    );
    alone
}

#[test]
fn transcripts_of_many_games() {
    for sort in &SORTS {
        let game = load(sort.game, &[]);
        for seed in 0..4 {
            let text = sort.text(seed);
            for piece in [100, 1000, 5000] {
                let ran = agree(&game, sort.form, &text, piece, sort.game);
                assert_eq!(ran.end, "", "{}", sort.game);
            }
        }
    }
}

#[test]
fn parts_are_played_ahead() {
    for sort in &SORTS {
        let game = load(sort.game, &[]);
        let mut games = sort.games * 20;
        let (text, alone) = loop {
            let mut text = Vec::new();
            (sort.generate)(games, &mut Random::new(5), &mut text).expect("a vector takes it all");
            let alone = run(&game, sort.form, &text, None);
            if alone.report.len() > 10 * alone.most {
                break (text, alone);
            }
            games *= 2;
        };
        let threads = Threads {
            count: 2,
            piece: text.len() / 3,
        };
        let together = run(&game, sort.form, &text, Some(threads));
        // What was played ahead is written at once, and that is more than is ever written by one thread.
        let (most, least) = (together.most, 2 * alone.most);
        assert!(most > least, "{}: {most}, not {least} at once", sort.game);
    }
}

#[test]
fn something_is_wrong_in_the_middle() {
    for sort in &SORTS {
        let game = load(sort.game, &[]);
        let mut random = Random::new(7);
        let mut stopped = 0;
        for seed in 0..12 {
            let text = sort.text(seed);
            let at = random.index(text.len());
            let mut slips = vec![
                [&text[..at], &b" what\n"[..], &text[at..]].concat(),
                [&text[..at], &b"\n1 1\n"[..], &text[at..]].concat(),
                [&text[..at], &b"\xff"[..], &text[at..]].concat(),
                text[..at].to_vec(),
                [&text[..], &text[..at]].concat(),
            ];
            // A line is missing.
            let rest = text.iter().skip(at).position(|byte| *byte == b'\n');
            let next = rest.map_or(text.len(), |rest| at + rest + 1);
            let line = text[..at].iter().rposition(|byte| *byte == b'\n');
            slips.push([&text[..line.map_or(0, |line| line + 1)], &text[next..]].concat());
            for slip in slips {
                stopped += usize::from(
                    !agree(&game, sort.form, &slip, 2000, sort.game)
                        .end
                        .is_empty(),
                );
            }
        }
        assert!(stopped > 20, "{}: {stopped} stopped", sort.game);
    }
}

#[test]
fn words_that_look_like_a_beginning() {
    let game = load("snooker", &[]);
    let text = String::from_utf8(SORTS[0].text(3)).expect("it is text");
    // Every frame is played by balls: any stroke on one that pots one may be where a frame begins.
    let mut lines = Vec::new();
    let mut before = "";
    for line in text.lines() {
        lines.push(if before.is_empty() {
            "Red Yellow"
        } else {
            line
        });
        before = line;
    }
    lines[0] = text.lines().next().expect("how many there are");
    lines[1] = "";
    let text = format!("{}\n", lines.join("\n"));
    for piece in [100, 1000] {
        agree(&game, None, text.as_bytes(), piece, "balls");
    }
}

#[test]
fn lines_of_other_sorts() {
    for sort in &SORTS {
        let game = load(sort.game, &[]);
        let text = String::from_utf8(sort.text(9)).expect("it is text");
        let question = |line: &str| format!("#? 1 is 1\n{line}\n");
        let others = [
            ("line ends of two characters", text.replace('\n', "\r\n")),
            ("a mark of the encoding", format!("\u{feff}{text}")),
            ("no end of the last line", text.trim_end().to_string()),
            ("blank lines at the end", format!("{text}\n\n\n")),
            ("one line", text.replace('\n', " ")),
            ("questions", text.lines().map(question).collect()),
        ];
        for (what, other) in others {
            agree(&game, sort.form, other.as_bytes(), 1500, what);
        }
    }
}

#[test]
fn every_case() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut compared = 0;
    for folder in fs::read_dir(cases).expect("the cases are there") {
        let folder = folder.expect("the cases are there").path();
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let mut parts = name.split(',');
        let named = parts.next().unwrap_or_default();
        let settings: Vec<(&str, &str)> = parts.filter_map(|part| part.split_once('=')).collect();
        let (named, form) = match named.split_once('.') {
            Some((named, form)) => (named, Some(form)),
            None => (named, None),
        };
        let game = load(named, &settings);
        for case in fs::read_dir(&folder).expect("the cases are there") {
            let case = case.expect("the cases are there").path();
            if case.extension().is_some_and(|ending| ending == "txt") {
                let text = fs::read(&case).expect("the case is there");
                agree(&game, form, &text, 40, &case.display().to_string());
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared} cases");
}
