//! The command: what it prints and how it ends.

use std::{
    fmt::Write as _,
    fs,
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
};

/// The folder in which the command runs: messages then name no other path.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cli")
}

/// The command with arguments, away from what the surroundings may say.
fn referee(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command
        .args(arguments)
        .current_dir(folder())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for variable in [
        "REFEREE_RULES",
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "COLUMNS",
    ] {
        command.env_remove(variable);
    }
    command
}

/// What a command does with an input.
fn output(mut command: Command, input: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    let input = input.to_string();
    let writer = thread::spawn(move || {
        // Whoever stops reading has read enough.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("the input is written");
    output
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("the command is not killed")
}

/// What was typed, what came of it, and how it ended.
fn session(arguments: &[&str], input: &str) -> String {
    told(arguments, &output(referee(arguments), input))
}

fn told(arguments: &[&str], output: &Output) -> String {
    let mut told = "$ referee".to_string();
    for argument in arguments {
        told.push(' ');
        told.push_str(argument);
    }
    told.push('\n');
    told.push_str(&String::from_utf8_lossy(&output.stdout));
    if !output.stderr.is_empty() {
        told.push_str("--- on standard error ---\n");
        told.push_str(&String::from_utf8_lossy(&output.stderr));
    }
    let _ = writeln!(told, "--- exit code {} ---", code(output));
    told
}

/// Compares sessions with the snapshot of this name.
fn assert_sessions(name: &str, sessions: &[String]) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, sessions.join("\n")));
}

#[test]
fn help() {
    assert_sessions(
        "help",
        &[
            session(&["--help"], ""),
            session(&["run", "--help"], ""),
            session(&["check", "--help"], ""),
        ],
    );
}

#[test]
fn usage() {
    assert_sessions(
        "usage",
        &[
            session(&[], ""),
            session(&["umpire"], ""),
            session(&["run"], ""),
            session(&["check"], ""),
            session(&["run", "bare", "--set", "loud", "--rules", "house"], ""),
            session(&["list", "--rules", "nowhere"], ""),
            session(&["man", "umpire"], ""),
        ],
    );
}

#[test]
fn why() {
    let frame = "1\n\nAnn Ben\nRed White\nBlue Blue\nWhite\n";
    assert_sessions(
        "why",
        &[
            session(&["why", "--help"], ""),
            session(&["why", "snooker", "-:4"], frame),
            session(&["why", "snooker", "-:4", "--trace"], frame),
            session(&["why", "snooker", "-:4", "--trace", "--depth", "0"], frame),
            session(&["why", "snooker", "-:4:5", "--event", "1"], frame),
            session(&["why", "snooker", "-:4", "--event", "2"], frame),
            session(&["why", "chess", "-:2:7"], "1\ne2e4 e7e5 g1f3"),
            session(&["why", "chess"], "1\ne2e4 e7e5 g1f3\n\n"),
            session(&["why", "snooker", "-:5"], frame),
            session(&["why", "snooker", "-:5", "--not", "Foul!"], frame),
            session(&["why", "snooker", "-:4", "--not", "foul.wrong_hit"], frame),
            session(&["why", "snooker", "-:4", "--not", "strayd"], frame),
            session(&["why", "snooker", "-:4", "--not", "luck"], frame),
            session(
                &["why", "snooker", "-:4", "--not", "foul", "--format", "json"],
                frame,
            ),
            session(
                &["why", "snooker", "-:7"],
                "1\n\nAnn Ben\nRed\nRed\nRed\nPurple Red\n",
            ),
            session(&["why", "snooker+free-ball", "-:4"], frame),
            session(&["why", "snooker"], frame),
            session(&["why", "snooker", "-:2"], frame),
            session(&["why", "snooker", "-:9"], frame),
            session(&["why", "snooker", "nowhere.txt:4"], ""),
            session(&["why", "mau-mau", "--transcript", "home"], ""),
        ],
    );
}

#[test]
fn moves() {
    let position = "1\nAnn Ben\n4 4 4 4 4 4 3\n1 2 1\n";
    assert_sessions(
        "moves",
        &[
            session(&["moves", "--help"], ""),
            session(&["moves", "connect-four"], position),
            session(&["moves", "connect-four", "-:2"], position),
            session(&["moves", "connect-four", "-:3", "--illegal"], position),
            session(&["moves", "connect-four", "-:1"], position),
            session(&["moves", "connect-four", "--depth", "2"], position),
            session(&["moves", "weiqi", "--set", "size=3"], "2 2\n"),
            session(&["moves", "connect-four", "--only", "drops"], position),
            session(&["moves", "connect-four"], "1\nAnn Ben\n4 9\n"),
            session(&["moves", "connect-four", "nowhere.txt:3"], ""),
            session(&["moves", "darts"], "1\nAnn Ben\n"),
            session(&["moves", "mau-mau", "--transcript", "home"], ""),
        ],
    );
}

#[test]
fn tests_beside_rules() {
    let test = |arguments: &[&str]| session(&[&["test"], arguments].concat(), "");
    assert_sessions(
        "tests",
        &[
            test(&["--help"]),
            test(&["tests", "--filter", "tally", "--filter", "nobody"]),
            test(&["tests/tally", "tests/tally.wrong.in"]),
            test(&["tests/tally.rules", "--filter", "adds", "--filter", "much"]),
            test(&["tests", "--fail-fast"]),
            test(&["tests/tally/adds-up.out", "tests/tally"]),
            test(&["tests", "--filter", "no such"]),
            test(&["house"]),
            test(&["inputs/good.txt"]),
            test(&["nowhere"]),
            test(&["tests", "--review"]),
        ],
    );
}

#[test]
fn tests_that_fail_are_grouped_by_row() {
    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("grouped");
    let _ = fs::remove_dir_all(&scratch);
    copy(&folder().join("../../rules"), &scratch);
    let cases = scratch.join("snooker");
    for folder_of_cases in ["snooker", "snooker,red_balls=1"] {
        let from = folder().join("../transcripts").join(folder_of_cases);
        for entry in fs::read_dir(from).expect("the cases are there") {
            let path = entry.expect("the cases are there").path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let few = ["sample", "reds-several", "tie-by", "impossible-lot-missing"];
            if path.extension().is_some_and(|ending| ending == "txt")
                && few.iter().any(|name| stem.starts_with(name))
            {
                fs::copy(&path, cases.join(format!("{stem}.in"))).expect("it can be copied");
            }
        }
    }
    let tested = |arguments: &[&str]| {
        let arguments = [&["test", "snooker"], arguments].concat();
        let mut command = referee(&arguments);
        command.current_dir(&scratch);
        told(&arguments, &output(command, ""))
    };
    let written = tested(&["--bless"]);
    let rules = scratch.join("snooker.rules");
    let text = fs::read_to_string(&rules).expect("the rules are there");
    let text = text
        .replace("| least:  least_penalty", "| least:  least_penalty + 1")
        .replace("when phase is AnyColour", "when phase is not Reds");
    fs::write(&rules, text).expect("the rules can be written");
    assert_sessions("tests-grouped", &[written, tested(&["--group-by", "row"])]);
}

#[test]
fn transcripts_expect() {
    assert_sessions(
        "expectations",
        &[
            session(&["test", "tests/count.rules"], ""),
            session(&["test", "tests/lift.rules"], ""),
            session(&["run", "tests/count.rules", "tests/count/expects.in"], ""),
            session(
                &["run", "tests/count.rules", "--transcript", "spoken"],
                "take\n#? take\n2\n#\n? 2\n",
            ),
        ],
    );
}

#[test]
fn outputs_are_blessed() {
    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("blessed");
    let _ = fs::remove_dir_all(&scratch);
    copy(&folder().join("tests"), &scratch);
    let tested = |arguments: &[&str]| {
        let arguments = [&["test"], arguments].concat();
        let mut command = referee(&arguments);
        command.current_dir(&scratch);
        told(&arguments, &output(command, ""))
    };
    let blessed = tested(&["tally.rules", "--bless"]);
    let mut written = String::new();
    for output in ["tally.wrong.out", "tally/much.out"] {
        let said = fs::read_to_string(scratch.join(output)).expect("the output was written");
        let _ = write!(written, "{output}:\n{said}");
    }
    let again = tested(&[
        "--junit",
        "results.xml",
        "--filter",
        "tally",
        "--filter",
        "nobody",
    ]);
    let results = fs::read_to_string(scratch.join("results.xml")).expect("results were written");
    assert_sessions("blessed", &[blessed, written, again, untimed(&results)]);
}

/// Results without how long each test took, which differs from run to run.
fn untimed(results: &str) -> String {
    let mut pieces = results.split(" time=\"");
    let mut untimed = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (_, rest) = piece.split_once('"').expect("an attribute ends");
        untimed.push_str(rest);
    }
    untimed
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a file can be copied");
        }
    }
}

#[test]
fn games() {
    let mut named = referee(&["list"]);
    named.env("REFEREE_RULES", "nowhere:house");
    assert_sessions(
        "games",
        &[
            session(&["list"], ""),
            session(&["list", "--rules", "house"], ""),
            told(&["list"], &output(named, "")),
        ],
    );
}

#[test]
fn inputs() {
    let good = "inputs/good.txt";
    let several = [
        "run",
        "house/tally.rules",
        good,
        "inputs/malformed.txt",
        "inputs/nowhere.txt",
        "-",
        good,
    ];
    assert_sessions(
        "inputs",
        &[
            session(&["run", "house/tally.rules"], "1\n2\n0\n"),
            session(&["run", "house/tally.rules", "-"], "1\n2\n0\n"),
            session(&["run", "house/tally.rules", good], ""),
            session(&["run", "tally", good, good, "--rules", "house"], ""),
            session(&["--rules", "house", "run", "tally", good], ""),
            session(&several, "7\n0\n"),
            session(&["run", "house/tally.rules", "packed/small.txt.zst"], ""),
            // Ten bytes that ask for two gigabytes of memory.
            session(&["run", "house/tally.rules", "packed/greedy.txt.zst"], ""),
        ],
    );
}

#[test]
fn forms() {
    let spoken = "inputs/spoken.txt";
    let tally = "house/tally.rules";
    assert_sessions(
        "forms",
        &[
            session(&["run", tally, spoken, "--transcript", "spoken"], ""),
            session(&["run", tally, spoken, "--transcript", "spokn"], ""),
            session(&["run", "house/bare.rules", "--transcript", "spoken"], ""),
        ],
    );
}

#[test]
fn settings() {
    let (tally, good) = ("house/tally.rules", "inputs/good.txt");
    assert_sessions(
        "settings",
        &[
            session(&["run", tally, "--set", "?"], ""),
            session(&["run", "house/bare.rules", "--set", "?"], ""),
            session(&["run", tally, good, "--set", "most=3"], ""),
            session(&["run", tally, good, "--set", "silent=yes"], ""),
            session(&["run", tally, good, "--set", "mst=3"], ""),
            session(&["run", tally, good, "--set", "most=10"], ""),
            session(&["run", "house/wrong.rules", good, "--set", "most=3"], ""),
        ],
    );
}

#[test]
fn variants() {
    let run = |game: &str| session(&["run", game, "--rules", "house"], "2\n3\n0\n");
    assert_sessions(
        "variants",
        &[
            run("tally+small"),
            run("tally+quiet"),
            run("house/tally/quiet.rules"),
            run("house/tally.rules+small+inputs/doubled.rules"),
            run("inputs/doubled.rules+small"),
            session(
                &["run", "tally+large", "--rules", "house", "--set", "most=2"],
                "2\n3\n0\n",
            ),
            run("tally+small+large"),
            run("tally+quiet+large"),
            run("tally+quiet+small"),
            run("tally+settled"),
            run("tally+small+small"),
            run("tally+smal"),
            run("tally+"),
            run("tally+snooker"),
            run("tally+house/bare.rules"),
            run("bare+house/tally/small.rules"),
            run("tally+nowhere/mine.rules"),
            session(
                &["check", "tally+quiet", "tally+loud", "--rules", "house"],
                "",
            ),
        ],
    );
}

#[test]
fn show() {
    let show = |arguments: &[&str]| {
        let arguments = [&["show", "--rules", "house"], arguments].concat();
        session(&arguments, "")
    };
    assert_sessions(
        "show",
        &[
            show(&["tally"]),
            show(&["tally+quiet", "--set", "most=5"]),
            show(&["bare"]),
            show(&["tally+quiet", "--flat"]),
            show(&["tally+quiet", "--flat", "--set", "most=5"]),
            show(&["tally+quiet", "--why", "most"]),
            show(&["tally", "--why", "add.report"]),
            show(&["inputs/doubled.rules", "--why", "add.new.total"]),
            show(&["inputs/split.rules", "--why", "add.report"]),
            show(&["tally", "--why", "add.reprot"]),
            show(&["tally+smal"]),
            show(&["tally", "--flat", "--why", "most"]),
            session(&["show", "weiqi+situational", "--why", "seen"], ""),
            session(&["show", "chess+three-check", "--why", "move.new.seen"], ""),
            session(
                &["show", "mau-mau+nine-reverses", "--why", "play.new.turn"],
                "",
            ),
            session(&["show", "mau-mau+ace-skips", "--why", "effect of Ace"], ""),
            session(
                &[
                    "show",
                    "snooker+free-ball",
                    "--why",
                    "stroke.penalty.potted",
                ],
                "",
            ),
        ],
    );
}

#[test]
fn checks() {
    let games = [
        "check",
        "snooker",
        "house/wrong.rules",
        "mau-mau",
        "latin.rules",
        "house/bare.rules",
    ];
    assert_sessions(
        "checks",
        &[
            session(&["check", "snooker"], ""),
            session(&games, ""),
            session(&["check", "snoker", "weiqi"], ""),
            session(&["check", "spare.rules"], ""),
            session(&["check", "--deny", "warnings", "spare.rules"], ""),
            session(&["check", "--format", "sarif", "house/wrong.rules"], ""),
        ],
    );
}

#[test]
fn events() {
    let tally = "house/tally.rules";
    let run = |arguments: &[&str], input: &str| {
        session(
            &[&["run", tally, "--format", "jsonl"], arguments].concat(),
            input,
        )
    };
    assert_sessions(
        "events",
        &[
            run(&[], "2\n3\n0\n"),
            run(
                &["-j", "2", "inputs/nowhere.txt", "inputs/impossible.txt"],
                "",
            ),
            run(&["--transcript", "home"], ""),
            session(&["run", "snoker", "--format", "jsonl"], ""),
            session(&["run", tally, "--format", "json"], ""),
        ],
    );
}

#[test]
fn formats() {
    let check = |format: &str| {
        let games = ["house/wrong.rules", "tally+doubled", "tally", "snoker"];
        let arguments = [
            &["check", "--rules", "house", "--format", format],
            &games[..],
        ]
        .concat();
        session(&arguments, "")
    };
    let tally = "house/tally.rules";
    let run = |format: &str| {
        let inputs = ["inputs/impossible.txt", "inputs/nowhere.txt"];
        let arguments = [&["run", tally, "--errors", format], &inputs[..]].concat();
        session(&arguments, "")
    };
    assert_sessions(
        "formats",
        &[
            check("json"),
            check("github"),
            check("sarif"),
            session(&["check", tally, "--format", "sarif"], ""),
            run("json"),
            run("github"),
            run("sarif"),
            session(&["run", tally, "--errors", "xml"], ""),
        ],
    );
}

#[test]
fn diff() {
    let diff =
        |arguments: &[&str]| session(&[&["diff", "--rules", "house"], arguments].concat(), "");
    let several = [
        "inputs/good.txt",
        "inputs/long.txt",
        "inputs/impossible.txt",
    ];
    assert_sessions(
        "diff",
        &[
            diff(&[&["tally", "house/tally.rules"], &several[..]].concat()),
            diff(&[&["tally", "tally+quiet"], &several[..]].concat()),
            diff(&[&["tally+small", "tally"], &several[..]].concat()),
            diff(&["tally", "bare", "inputs/good.txt"]),
            diff(&["tally", "tally+quiet", "inputs/good.txt", "--set", "most=1"]),
            diff(&["tally", "tally", "inputs/nowhere.txt", "inputs/good.txt"]),
            diff(&["tally", "taly", "inputs/good.txt"]),
            diff(&[
                "tally",
                "bare",
                "inputs/spoken.txt",
                "--transcript",
                "spoken",
            ]),
            diff(&["tally", "house/wrong.rules", "inputs/good.txt"]),
            session(
                &["diff", "house/tally.rules", "house/tally.rules"],
                "1\n0\n",
            ),
        ],
    );
}

#[test]
fn a_difference_is_told_with_its_rows() {
    let cases = |folder: &str| format!("../transcripts/{folder}");
    let diff = |one: &str, other: &str, folder: &str, more: &[&str]| {
        let folder = cases(folder);
        session(&[&["diff", one, other, &folder], more].concat(), "")
    };
    assert_sessions(
        "diff-rows",
        &[
            diff("snooker", "snooker+foul-five", "snooker", &[]),
            diff("snooker+six-red", "snooker", "snooker", &[]),
            diff("snooker", "snooker+free-ball", "snooker+free-ball", &[]),
            diff("mau-mau", "mau-mau+no-doubling", "mau-mau+no-doubling", &[]),
            diff("mau-mau", "mau-mau+ace-skips", "mau-mau+ace-skips", &[]),
            diff(
                "mau-mau",
                "mau-mau+jack-on-jack",
                "mau-mau+jack-on-jack",
                &[],
            ),
            diff(
                "weiqi",
                "weiqi+superko",
                "weiqi+superko,size=4",
                &["--set", "size=4"],
            ),
            diff(
                "weiqi",
                "weiqi+area",
                "weiqi+area,size=5",
                &["--set", "size=5"],
            ),
        ],
    );
}

#[test]
fn a_rule_file_of_a_revision_can_be_named() {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("revisions");
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).expect("a folder can be made");
    let rules = std::fs::read_to_string(folder().join("house/tally.rules")).expect("it is there");
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        let identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
        git.args(identity).args(arguments).current_dir(&place);
        git.stdout(Stdio::null()).stderr(Stdio::null());
        git.status().is_ok_and(|status| status.success())
    };
    std::fs::write(place.join("tally.rules"), &rules).expect("it can be written");
    // Where there is no git, there are no revisions.
    if !(git(&["init"]) && git(&["add", "."]) && git(&["commit", "-m", "First"])) {
        return;
    }
    let changed = rules.replace("total}", "total} in all");
    std::fs::write(place.join("tally.rules"), changed).expect("it can be written");
    let run = |arguments: &[&str]| {
        let mut command = referee(arguments);
        command.current_dir(&place);
        told(arguments, &output(command, "1\n2\n0\n"))
    };
    assert_sessions(
        "revisions",
        &[
            run(&["diff", "HEAD:tally.rules", "tally.rules"]),
            run(&["diff", "HEAD:tally.rules", "HEAD:tally.rules"]),
            run(&["diff", "HEAD:tally.rules+bigger", "tally.rules"]),
        ],
    );
    // Why is said in git's own words, which are not always the same.
    for missing in ["HEAD:tale.rules", "HAED:tally.rules"] {
        let said = run(&["diff", missing, "tally.rules"]);
        assert!(
            said.contains(&format!("error: git has no `{missing}`: ")),
            "{said}"
        );
        assert!(said.ends_with("--- exit code 2 ---\n"), "{said}");
    }
}

#[test]
fn folders() {
    let tally = "house/tally.rules";
    assert_sessions(
        "folders",
        &[
            session(&["run", tally, "inputs"], ""),
            session(&["run", tally, "house", "inputs"], ""),
            session(&["diff", tally, "house/bare.rules", "inputs"], ""),
        ],
    );
}

#[test]
fn many_at_once_say_what_one_after_the_other_says() {
    let inputs = [
        "inputs",
        "inputs/good.txt",
        "-",
        "nowhere",
        "inputs",
        "inputs",
    ];
    let run = |options: &[&str]| {
        let arguments = [&["run", "house/tally.rules"], options, &inputs[..]].concat();
        output(referee(&arguments), "1\n2\n0\n")
    };
    let expected = run(&[]);
    for options in [&["-j", "2"][..], &["--jobs", "7"], &["-j0"]] {
        let output = run(options);
        assert_eq!(output.stdout, expected.stdout, "{options:?}");
        assert_eq!(output.stderr, expected.stderr, "{options:?}");
        assert_eq!(code(&output), code(&expected), "{options:?}");
    }
    // A form that there is not is said once.
    let mut said = Vec::new();
    for jobs in ["1", "3"] {
        let form = ["run", "house/tally.rules", "inputs", "--transcript", "x"];
        let arguments = [&form[..], &["-j", jobs]].concat();
        let output = output(referee(&arguments), "");
        assert_eq!(code(&output), 2);
        said.push(output.stderr);
    }
    assert_eq!(said[0], said[1]);
}

#[test]
fn failures() {
    let tally = "house/tally.rules";
    assert_sessions(
        "failures",
        &[
            session(&["run", "house/wrong.rules"], ""),
            session(&["run", "latin.rules"], ""),
            session(&["run", tally, "inputs/beyond.txt"], ""),
            session(&["run", tally, "inputs/malformed.txt"], ""),
            session(&["run", tally, "inputs/impossible.txt"], ""),
            session(&["run", tally, "inputs/long.txt"], ""),
        ],
    );
}

#[test]
fn missing() {
    assert_sessions(
        "missing",
        &[
            session(&["run", "snoker"], ""),
            session(&["run", "six-red"], ""),
            session(&["check", "inputs/doubled.rules"], ""),
            session(&["run", "house"], ""),
            session(&["run", "nowhere/mine.rules"], ""),
            session(&["run", "snooker.rules"], ""),
            session(&["run", "./house"], ""),
            session(&["run", "house/tally.rules", "inputs/nowhere.txt"], ""),
        ],
    );
}

#[test]
fn the_exit_code_is_that_of_the_first_failure() {
    let run = |inputs: &[&str]| {
        let arguments = [&["run", "house/tally.rules"][..], inputs].concat();
        code(&output(referee(&arguments), ""))
    };
    assert_eq!(run(&["inputs/good.txt"]), 0);
    assert_eq!(run(&["inputs/good.txt", "inputs/beyond.txt", "nowhere"]), 3);
    assert_eq!(run(&["nowhere", "inputs/good.txt", "inputs/long.txt"]), 6);
    assert_eq!(run(&["inputs/long.txt", "inputs/impossible.txt"]), 5);
}

#[test]
fn colour_is_for_terminals_and_for_who_wants_it() {
    let run = |variables: &[(&str, &str)]| {
        let mut command = referee(&["check", "house/wrong.rules", "snoker"]);
        command.envs(variables.iter().copied());
        output(command, "").stderr.contains(&0x1b)
    };
    assert!(!run(&[]));
    assert!(run(&[("CLICOLOR_FORCE", "1")]));
    assert!(!run(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn a_reader_that_stops_ends_it_quietly() {
    // Whoever reads is gone before anything is written: the input comes after.
    let mut child = referee(&["run", "snooker-chance"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    let _ = stdin.write_all(b"2\n12 1 1\n1 30 39\n");
    drop(stdin);
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(code(&output), 0);
}

#[test]
fn a_closed_output_ends_every_command_quietly() {
    for arguments in [
        &["list"][..],
        &["check", "weiqi"],
        &["man"],
        &["completions", "bash"],
        &["--version"],
        &["help"],
    ] {
        let (reader, writer) = std::io::pipe().expect("there are pipes");
        drop(reader);
        let output = referee(arguments)
            .stdout(writer)
            .output()
            .expect("the command runs");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert_eq!(code(&output), 0, "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = || std::fs::File::options().write(true).open("/dev/full");
    let (Ok(disk), Ok(other)) = (full(), full()) else {
        return;
    };
    let run = ["run", "house/tally.rules", "inputs/good.txt"];
    let ran = referee(&run).stdout(disk).output().expect("it runs");
    let listed = referee(&["list"]).stdout(other).output().expect("it runs");
    assert_sessions("full-disk", &[told(&run, &ran), told(&["list"], &listed)]);
}

#[test]
fn the_report_comes_as_the_input_comes() {
    let mut child = referee(&["run", "house/tally.rules"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    let mut report = BufReader::new(child.stdout.take().expect("its output is a pipe"));
    let mut line = String::new();
    for (added, total) in [("3\n", "3\n"), ("4\n", "7\n"), ("0\n", "7\n")] {
        stdin.write_all(added.as_bytes()).expect("it still reads");
        line.clear();
        // It waits for the next line only once it has told what came of this one.
        report.read_line(&mut line).expect("it still writes");
        assert_eq!(line, total);
    }
    drop(stdin);
    assert!(child.wait().expect("the command ends").success());
}

#[test]
fn a_reader_that_stops_in_the_middle_ends_it_quietly() {
    // Far more is said than a pipe can hold.
    let mut child = referee(&["run", "snooker-chance"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    let conditions = 200_000;
    let writer = thread::spawn(move || {
        let _ = writeln!(stdin, "{conditions}");
        for _ in 0..conditions {
            let _ = stdin.write_all(b"12 1 1\n");
        }
    });
    let mut report = child.stdout.take().expect("its output is a pipe");
    let mut first = [0; 8];
    report.read_exact(&mut first).expect("a report comes");
    assert_eq!(&first, b"Yes\nYes\n");
    drop(report);
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(code(&output), 0);
    drop(writer.join());
}

#[test]
fn completions_and_manual() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = output(referee(&["completions", shell]), "");
        assert_eq!(code(&output), 0);
        let script = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(script.contains("REFEREE_COMPLETE"), "{shell}: {script}");
    }
    assert_sessions(
        "manual",
        &[session(&["man"], ""), session(&["man", "run"], "")],
    );
}
