//! Which rows of the rules some transcripts reach, as data.

use referee::game::cover::Cover;
use serde_json::Value;

/// The rows of a cover, in the order of the rule file.
pub(crate) fn rows(cover: &Cover) -> Vec<Value> {
    let rows = cover.rows.iter().map(|row| {
        serde_json::json!({
            "name": row.name(),
            "file": cover.files.get(row.file).map(|(name, _)| name),
            "line": row.line,
            "considered": row.considered,
            "fired": row.fired,
            "changed": row.changed,
            "reason": row.reason.as_ref().map(|_| row.reason_told()),
            "conditions": row.conditions.iter().map(|condition| serde_json::json!({
                "written": condition.written,
                "line": condition.line,
                "held": condition.held,
                "failed": condition.failed,
            })).collect::<Vec<_>>(),
        })
    });
    rows.collect()
}
