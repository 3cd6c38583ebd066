//! Many lines that differ in one number, as one line.

/// How many lines become one at least: of fewer each is read as fast.
const MANY: usize = 10;

/// The lines; of many that follow each other and differ in one word only, a number that grows by one, there is one, with
/// `least..greatest` in its place.
pub(super) fn collapsed(lines: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    let mut rest = lines;
    while let Some(first) = rest.first() {
        let count = first.split(' ').count();
        let runs = (0..count).map(|word| (run(rest, word), word));
        let (length, word) = runs.max_by_key(|(length, _)| *length).unwrap_or((1, 0));
        if length >= MANY {
            let last = rest[length - 1].split(' ').nth(word).unwrap_or_default();
            let words = first.split(' ').enumerate();
            let words = words.map(|(place, found)| {
                if place == word {
                    format!("{found}..{last}")
                } else {
                    found.to_string()
                }
            });
            all.push(words.collect::<Vec<_>>().join(" "));
            rest = &rest[length..];
        } else {
            all.push(first.clone());
            rest = &rest[1..];
        }
    }
    all
}

/// How many of the first lines are alike but for a word that grows by one.
fn run(lines: &[String], word: usize) -> usize {
    let parts = |line: &str| {
        let mut words: Vec<String> = line.split(' ').map(str::to_string).collect();
        let number: Option<i64> = words.get(word)?.parse().ok();
        words[word].clear();
        Some((number?, words))
    };
    let Some((least, first)) = parts(&lines[0]) else {
        return 1;
    };
    let grows = |(line, number): &(&String, i64)| {
        parts(line).is_some_and(|(found, words)| found == *number && words == first)
    };
    let numbers = (0..).map_while(|more| least.checked_add(more));
    lines.iter().zip(numbers).take_while(grows).count()
}
