//! The interpreter knows no game: no word of one stands in `src/` or `grammar/`, not even in a comment.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

/// Words that rule files use as names or say, and that mean something else in the interpreter: everyday words, and those
/// of the language. Each of them must be in some rule file, so that the list is no longer than it need be.
const EVERYDAY: &str = "
    above again against agree ahead alike allowed alone along already an anew another anything apart are area atomic
    back be becomes below between blank block blocks book both box boxes break broken call called calls can cannot catch
    cell change check choices clear colour colours column columns comes compass complete conditions costs count counts
    dark dead decided distance does dots double draw drawn draws drop due early east effect eight else end ends enter
    entry equal extend extra fall falls far fault few file files filled finished fit fits follow form frame frames free freed
    full further games game_number gap go goes gone grows had hand held hit hold holds hole hop hops how into invalid
    in_hand in_order is it item itself joined joins jump jumps keeps kept label large late lay lead least leaves left
    length letter level lie lifted light line longest loss lost lot lower man many mark match matches may met middle
    mine miss mod more most move moved moves must name named names neighbours neither next nine nobody north north_east
    north_west nothing now number once one only open opening order origin other others out outcome outside over own
    owner pass passed passes passing piece pin pins place plain playing plus point points position put quiet radius rank
    ranks ray reach receiver region repeated required rest restart result reverse right rights roll row rows
    rule runs said same seats second serve server sets shade side sign signs single six size sizes skip small so
    south south_east south_west spent stand standing stands step still stop store stuck take taken takes tally target
    ten text that then there third this three through tie tied ties too too_many top total touch turn turns twice two
    unsafe upper value visit walk walks was way ways west what which who why wide width win wins won word worth would
    written wrong yet you
";

/// Words that no interpreter of this language has any business with, whether or not a shipped game has them.
const FORBIDDEN: &str = "
    ace aces advantage ball balls billiards bishop bishops black blacks board boards bowler bowlers bowling bridge card
    cards castling checkmate chess clubs crazy cue cues curling dart darts deck decks deuce diamonds dice disc discard
    discs domino dominoes draughts eights foul fouls gomoku hammer hammers hearts jack jacks joker jokers kalah king
    kings knight knights ko mau meld nim opponent opponents othello pawn pawns player players poker pot pots potted
    queen queens reversi rook rooks score scores seeds seki snooker sow sown spades spare spares stalemate stone stones
    strike strikes stroke strokes suit suits taboo tennis trick tricks trump trumps umpire umpires weiqi white whites
    winner winners yahtzee
";

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files below a folder, in order.
fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    let mut folders = vec![repository().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            let ending = path.extension().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                folders.push(path);
            } else if endings.contains(&ending.as_ref()) {
                found.insert(path);
            }
        }
    }
    found.into_iter().collect()
}

/// The words of a line, as they are written: letters, digits and `_`.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| word.starts_with(char::is_alphabetic))
}

/// `inHand`, `InHand`, `in_hand`: the parts of a word, in small letters.
fn parts(word: &str) -> Vec<String> {
    let mut parts: Vec<String> = vec![String::new()];
    let mut before = '_';
    for letter in word.chars() {
        if !letter.is_alphabetic() || (letter.is_uppercase() && before.is_lowercase()) {
            parts.push(String::new());
        }
        if letter.is_alphabetic()
            && let Some(part) = parts.last_mut()
        {
            part.extend(letter.to_lowercase());
        }
        before = letter;
    }
    parts.retain(|part| part.chars().count() > 1);
    parts
}

/// The words that the grammar gives a meaning.
fn keywords() -> BTreeSet<String> {
    let words = fs::read_to_string(repository().join("grammar/words.pest"));
    words
        .expect("the grammar can be read")
        .lines()
        .filter_map(|line| line.strip_prefix("kw_")?.split_once(" = "))
        .flat_map(|(_, literals)| {
            let literals = literals.split('"').skip(1).step_by(2);
            literals.flat_map(parts).collect::<Vec<String>>()
        })
        .collect()
}

/// Every word that a shipped rule file names something by, or says, as its parts.
fn words_of_games() -> BTreeMap<Vec<String>, PathBuf> {
    let keywords = keywords();
    let mut found = BTreeMap::new();
    for path in files("rules", &["rules"]) {
        let text = fs::read_to_string(&path).expect("the rule file can be read");
        for line in text.lines() {
            let mut code = line.split(" -- ").next().unwrap_or_default();
            if code.starts_with("example ") {
                // What an example shows is told in a sentence, as in a comment.
                code = code.split('"').next().unwrap_or_default();
            }
            // So is where a rule stands in a book.
            code = code.split(" cites \"").next().unwrap_or_default();
            if code.starts_with("--") {
                continue;
            }
            for word in words(code) {
                let parts = parts(word);
                let keyword = matches!(parts.as_slice(), [only] if keywords.contains(only));
                if !parts.is_empty() && !keyword {
                    found.insert(parts, path.clone());
                }
            }
        }
    }
    found
}

/// A line without the comment at its end: everyday words are fine there.
fn code_of(line: &str) -> &str {
    match line.split_once("//") {
        Some((code, _)) if code.trim_end().len() < code.len() || code.is_empty() => code,
        _ => line,
    }
}

/// Where in the interpreter stands which of `wanted`: the words as their parts, which may be parts of others.
fn found(wanted: &BTreeSet<Vec<String>>) -> BTreeMap<Vec<String>, Vec<String>> {
    let longest = wanted.iter().map(Vec::len).max().unwrap_or_default();
    let mut found: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    let mut paths = files("src", &["rs", "txt"]);
    paths.extend(files("grammar", &["pest"]));
    for path in paths {
        let text = fs::read_to_string(&path).expect("the file can be read");
        for (number, line) in text.lines().enumerate() {
            for parts in words(code_of(line)).map(parts) {
                for length in 1..=longest {
                    for some in parts.windows(length).filter(|some| wanted.contains(*some)) {
                        let path = path.strip_prefix(repository()).unwrap_or(&path);
                        let place = format!("{}:{}: {line}", path.display(), number + 1);
                        found.entry(some.to_vec()).or_default().push(place);
                    }
                }
            }
        }
    }
    found
}

fn list(text: &str) -> BTreeSet<Vec<String>> {
    text.split_whitespace().map(parts).collect()
}

#[test]
fn no_word_of_a_game_stands_in_the_interpreter() {
    let games = words_of_games();
    let everyday = list(EVERYDAY);
    let wanted: BTreeSet<Vec<String>> = games.keys().cloned().collect();
    let found = found(&wanted);
    let mut wrong = String::new();
    for (word, places) in &found {
        if !everyday.contains(word) {
            let word = word.join("_");
            let _ = writeln!(
                wrong,
                "`{word}` is a word of a game:\n{}",
                places.join("\n")
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    for word in &everyday {
        assert!(
            games.contains_key(word),
            "no rule file has `{}`: it need not be in the list of everyday words",
            word.join("_")
        );
    }
}

/// The words that cannot be names, as the grammar lists them.
fn reserved() -> BTreeSet<String> {
    let grammar = fs::read_to_string(repository().join("grammar/words.pest"));
    let grammar = grammar.expect("the grammar can be read");
    let lists = grammar.split("_word = _{").skip(1);
    let lists = lists.filter_map(|list| list.split('}').next());
    lists
        .flat_map(|list| list.split('"').skip(1).step_by(2).map(str::to_string))
        .collect()
}

/// A message that says what to declare must say what can be declared.
#[test]
fn no_suggested_name_is_reserved() {
    let reserved = reserved();
    assert!(reserved.contains("within"), "{reserved:?}");
    for path in files("src", &["rs", "txt"]) {
        let text = fs::read_to_string(&path).expect("the file can be read");
        let said = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        let declares = "event fact given grid kind option policy ring state type";
        for code in said.flat_map(|line| line.split('`').skip(1).step_by(2)) {
            let Some((word, rest)) = code.split_once(' ') else {
                continue;
            };
            let mut names = rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            let name = names.next().unwrap_or_default();
            let is_declared = declares.split(' ').any(|one| one == word);
            assert!(
                !is_declared || !reserved.contains(name),
                "{} suggests `{code}`",
                path.display()
            );
        }
    }
}

#[test]
fn no_other_game_stands_in_the_interpreter() {
    let found = found(&list(FORBIDDEN));
    let places: Vec<String> = found.into_values().flatten().collect();
    assert!(places.is_empty(), "{}", places.join("\n"));
}

/// The modules of the library, each after those that it may use.
const MODULES: &str = "
    stack word source arithmetic limits diagnostic types builtins syntax library merge program operators resolve
    check code fault stream explanation mir lower interpret native machine compile optimise transcript failure game
    tables reference ide packed cli
";

/// What is used the other way round: who uses, what, and why.
const UPWARDS: [(&str, &str, &str); 1] =
    [("native", "machine", "it calls the functions of the runtime")];

/// The modules that a text names as `crate::…`, but for those in comments.
fn used(text: &str) -> BTreeSet<String> {
    let code = text.lines().map(code_of).collect::<Vec<_>>().join("\n");
    let mut used = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let (mut depth, mut name, mut is_name) = (0, String::new(), true);
        for character in rest.chars() {
            if is_name && (character.is_alphanumeric() || character == '_') {
                name.push(character);
                continue;
            }
            if !name.is_empty() {
                used.insert(std::mem::take(&mut name));
                is_name = false;
            }
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => is_name = true,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    used
}

#[test]
fn files_are_short() {
    let long = files("src", &["rs"]).into_iter().filter(|path| {
        let text = fs::read_to_string(path).expect("the file can be read");
        text.lines().count() > 500
    });
    let long: Vec<PathBuf> = long.collect();
    assert!(long.is_empty(), "more than 500 lines: {long:?}");
}

/// `Cargo.toml` turns tests in `src` off: with a single one, Cargo would compile the whole library twice.
#[test]
fn no_test_stands_in_the_library() {
    let with_tests = files("src", &["rs"]).into_iter().filter(|path| {
        let text = fs::read_to_string(path).expect("the file can be read");
        text.contains("#[test]") || text.contains("cfg(test)")
    });
    let with_tests: Vec<PathBuf> = with_tests.collect();
    assert!(
        with_tests.is_empty(),
        "these have tests, which belong in `tests/units`: {with_tests:?}"
    );
}

#[test]
fn modules_use_those_below_them() {
    let modules: Vec<&str> = MODULES.split_whitespace().collect();
    let place = |name: &str| modules.iter().position(|module| *module == name);
    let mut upwards = BTreeSet::new();
    let mut wrong = String::new();
    for path in files("src", &["rs"]) {
        let name = path
            .strip_prefix(repository().join("src"))
            .expect("it is below `src`");
        let name = name.iter().next().unwrap_or_default().to_string_lossy();
        let name = name.trim_end_matches(".rs");
        if name == "lib" || name == "main" {
            continue;
        }
        let Some(own) = place(name) else {
            let _ = writeln!(wrong, "`{name}` is missing in the list of modules");
            continue;
        };
        let text = fs::read_to_string(&path).expect("the file can be read");
        for other in used(&text) {
            if place(&other).is_none_or(|other| other <= own) {
                continue;
            }
            if UPWARDS
                .iter()
                .any(|(one, two, _)| *one == name && *two == other)
            {
                upwards.insert((name.to_string(), other));
            } else {
                let _ = writeln!(wrong, "{}: `{name}` is below `{other}`", path.display());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    for (one, two, _) in UPWARDS {
        let pair = (one.to_string(), two.to_string());
        assert!(
            upwards.contains(&pair),
            "`{one}` does not use `{two}`: it need not be listed"
        );
    }
}

/// The files of `src` and `grammar` that a section of `docs/architecture.md` lists.
fn listed(section: &str) -> BTreeSet<String> {
    let page = repository().join("docs/architecture.md");
    let page = fs::read_to_string(page).expect("the page can be read");
    let (_, section) = page.split_once(section).expect("the section is there");
    let section = section.split("\n#").next().unwrap_or_default();
    let paths = section.split('`').skip(1).step_by(2);
    let paths = paths.filter(|path| path.starts_with("src/") || path.starts_with("grammar/"));
    paths
        .filter(|path| path.contains('.'))
        .map(str::to_owned)
        .collect()
}

/// The files of `src` and `grammar` with a text.
fn with_text(text: &str) -> BTreeSet<String> {
    let mut paths = files("src", &["rs"]);
    paths.extend(files("grammar", &["pest"]));
    let is_with = |path: &PathBuf| {
        let file = fs::read_to_string(path).expect("the file can be read");
        file.contains(text)
    };
    let paths = paths.into_iter().filter(is_with);
    let name = |path: PathBuf| {
        let path = path.strip_prefix(repository()).unwrap_or(&path);
        path.display().to_string().replace('\\', "/")
    };
    paths.map(name).collect()
}

/// What `docs/architecture.md` lists for a new built-in is what one that is there touches; likewise for an operator.
#[test]
fn additions_touch_what_is_listed() {
    let built_in = listed("### A built-in, step by step");
    assert_eq!(with_text("Builtin::Reversed"), built_in);

    let operator = listed("### An operator, step by step");
    let named = with_text("Operator::Then");
    assert!(named.is_subset(&operator), "{named:?}");
    let member = with_text("Then");
    let word = with_text("\"then\"");
    for path in &operator {
        assert!(member.contains(path) || word.contains(path), "{path}");
    }
}
