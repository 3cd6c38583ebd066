//! Rule books: `books/<game>.md` and `books/<game>.html` are what `referee doc <game>` writes. Adding a case is adding an
//! empty file. `INSTA_UPDATE=always` writes them anew.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/books")
}

/// What the command writes.
fn doc(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_referee"))
        .arg("doc")
        .args(arguments)
        .env_remove("REFEREE_RULES")
        .current_dir(folder())
        .output()
        .expect("the command starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {told}");
    String::from_utf8(output.stdout).expect("it is text")
}

/// What is wrong with a page: tags that do not match, headings out of order, names that stand twice, links that lead
/// nowhere.
fn flaws(page: &str) -> Vec<String> {
    let mut flaws = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let mut names = BTreeSet::new();
    let mut links = Vec::new();
    let mut heading = 0;
    for part in page.split('<').skip(1) {
        let Some((tag, _)) = part.split_once('>') else {
            flaws.push(format!("a tag is not closed: {part}"));
            continue;
        };
        let name = tag.split(' ').next().unwrap_or_default();
        if let Some(name) = name.strip_prefix('/') {
            if open.pop() != Some(name) {
                flaws.push(format!("`</{name}>` closes nothing"));
            }
        } else if !["!DOCTYPE", "meta"].contains(&name) {
            open.push(name);
        }
        let level = name.strip_prefix('h').and_then(|it| it.parse::<u32>().ok());
        if let Some(level) = level {
            if level > heading + 1 {
                flaws.push(format!("`{tag}` comes after a heading of level {heading}"));
            }
            heading = level;
        }
        let value = |attribute: &str| {
            let (_, rest) = tag.split_once(&format!(" {attribute}=\""))?;
            rest.split('"').next()
        };
        if let Some(id) = value("id")
            && !names.insert(id)
        {
            flaws.push(format!("`{id}` stands twice"));
        }
        links.extend(value("href").and_then(|link| link.strip_prefix('#')));
    }
    flaws.extend(open.iter().map(|name| format!("`<{name}>` is not closed")));
    let lost = links.iter().filter(|link| !names.contains(*link));
    flaws.extend(lost.map(|link| format!("nothing is called `{link}`")));
    flaws
}

#[test]
fn books() {
    let update = env::var("INSTA_UPDATE").is_ok_and(|it| it == "always");
    let mut wrong = Vec::new();
    for entry in fs::read_dir(folder()).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let written = match path.extension().and_then(|it| it.to_str()) {
            Some("md") => doc(&[&name]),
            Some("html") => doc(&[&name, "--html"]),
            _ => continue,
        };
        if path.extension().is_some_and(|it| it == "html") {
            assert_eq!(flaws(&written), Vec::<String>::new(), "{name}");
        }
        if update {
            fs::write(&path, &written).expect("the case can be written");
        } else if fs::read_to_string(&path).expect("the case can be read") != written {
            wrong.push(path);
        }
    }
    assert!(wrong.is_empty(), "other than before: {wrong:?}");
}

#[test]
fn nothing_in_a_rule_file_is_markup() {
    let page = doc(&["./hostile.rules", "--html"]);
    assert_eq!(flaws(&page), Vec::<String>::new());
    assert!(!page.contains("<script") && !page.contains("<img") && page.contains("&lt;script&gt;"));
    let text = doc(&["./hostile.rules"]);
    // A bracket after a backslash begins no link.
    let marks = text.replace("\\]", "");
    assert!(!text.contains("\n# Injected") && !marks.contains("](http"));
    for line in text.lines() {
        let mut outside = line.split('`').step_by(2);
        assert!(
            !outside.any(|part| part.replace("\\<", "").contains('<')),
            "{line}"
        );
    }
}

#[test]
fn a_site_has_all_games() {
    let site = Path::new(env!("CARGO_TARGET_TMPDIR")).join("books");
    let _ = fs::remove_dir_all(&site);
    doc(&["--all", "--out", site.to_str().expect("it is a path")]);
    let index = fs::read_to_string(site.join("index.html")).expect("there is a list");
    assert_eq!(flaws(&index), Vec::<String>::new());
    let mut pages = 0;
    for link in index.split("<a href=\"").skip(1) {
        let name = link.split('"').next().unwrap_or_default();
        let page = fs::read_to_string(site.join(name)).expect("the page is there");
        assert_eq!(flaws(&page), Vec::<String>::new(), "{name}");
        assert!(page.contains("playground/index.html#game="), "{name}");
        pages += 1;
    }
    assert!(pages > 30, "{pages} pages");
}
