//! Findings as SARIF 2.1.0, the form in which tools that look at code exchange them.

use referee::diagnostic::{Data, EditData, LabelData, Position, Severity};
use serde::Serialize;

/// Where the form is described.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

#[derive(Debug, Serialize)]
pub(super) struct Document<'d> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'d>; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'d> {
    tool: Tool<'d>,
    /// Columns are counted in characters.
    column_kind: &'static str,
    results: Vec<Finding<'d>>,
}

#[derive(Debug, Serialize)]
struct Tool<'d> {
    driver: Driver<'d>,
}

#[derive(Debug, Serialize)]
struct Driver<'d> {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule<'d>>,
}

#[derive(Debug, Serialize)]
struct Rule<'d> {
    id: &'d str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'d> {
    rule_id: &'d str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: Vec<Site>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Site>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Fix>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Fix {
    artifact_changes: [Change; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    artifact_location: Artifact,
    replacements: [Replacement; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Message,
}

#[derive(Debug, Serialize)]
struct Message {
    text: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Site {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Debug, Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

/// The document of some findings.
pub(super) fn document(findings: &[Data]) -> Document<'_> {
    let mut codes: Vec<&str> = findings.iter().map(|data| data.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    let results = findings.iter().map(|data| finding(data, &codes)).collect();
    Document {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "referee",
                    version: env!("CARGO_PKG_VERSION"),
                    rules: codes.iter().map(|id| Rule { id }).collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            results,
        }],
    }
}

fn finding<'d>(data: &'d Data, codes: &[&str]) -> Finding<'d> {
    let mut text = vec![data.message.clone()];
    text.extend(data.notes.iter().map(|note| format!("note: {note}")));
    text.extend(data.helps.iter().map(|help| format!("help: {help}")));
    let mut locations = data.labels.iter().enumerate();
    let first = locations.next().map(|(_, label)| location(label, None));
    Finding {
        rule_id: &data.code,
        rule_index: codes.binary_search(&data.code.as_str()).unwrap_or_default(),
        level: match data.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        message: Message {
            text: text.join("\n"),
        },
        locations: first.into_iter().collect(),
        related_locations: locations
            .map(|(id, label)| location(label, Some(id)))
            .collect(),
        fixes: data.edits.iter().map(fix).collect(),
    }
}

fn fix(edit: &EditData) -> Fix {
    Fix {
        artifact_changes: [Change {
            artifact_location: Artifact {
                uri: uri(&edit.file),
            },
            replacements: [Replacement {
                deleted_region: region(edit.start, edit.end),
                inserted_content: Message {
                    text: edit.text.clone(),
                },
            }],
        }],
    }
}

fn region(start: Position, end: Position) -> Region {
    Region {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

fn location(label: &LabelData, id: Option<usize>) -> Site {
    Site {
        id,
        physical_location: Physical {
            artifact_location: Artifact {
                uri: uri(&label.file),
            },
            region: region(label.start, label.end),
        },
        message: (!label.text.is_empty()).then(|| Message {
            text: label.text.clone(),
        }),
    }
}

/// A path as a reference: what has a meaning there, or is no plain letter, is escaped.
fn uri(path: &str) -> String {
    use std::fmt::Write as _;
    let mut uri = String::new();
    for byte in path.replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}
