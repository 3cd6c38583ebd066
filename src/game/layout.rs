//! A rule file by itself: whether it can be read, and how it looks in the one layout.

use super::Invalid;
use crate::{
    diagnostic::first,
    library::RuleText,
    source::Sources,
    syntax::{self, print},
};

impl RuleText {
    /// The rule file in the one layout, with its comments. Only its syntax is looked at: neither what it names nor what
    /// it uses need be there.
    ///
    /// Line ends that the author has between rows, clauses and the operands of a long expression stay; a line that is
    /// longer than 120 columns gets more of them, and everything else between words is as it always is. A text and a
    /// comment are not broken, however long they are.
    ///
    /// # Errors
    /// Everything that is wrong with its syntax.
    pub fn formatted(&self) -> Result<String, Invalid> {
        let mut sources = Sources::default();
        let id = sources.add(&self.name, &self.text);
        syntax::formatted(&sources, id).map_err(|diagnostics| Invalid {
            sources,
            diagnostics: first(diagnostics),
        })
    }

    /// The rule file's tree in the one layout, whatever its own was, and without comments: as `referee show --flat`
    /// writes it. Only its syntax is looked at, too.
    ///
    /// # Errors
    /// Everything that is wrong with its syntax.
    pub fn canonical(&self) -> Result<String, Invalid> {
        let mut sources = Sources::default();
        let id = sources.add(&self.name, &self.text);
        match syntax::parse(&sources, id) {
            Ok(file) => Ok(print::file(&file)),
            Err(diagnostics) => Err(Invalid {
                sources,
                diagnostics: first(diagnostics),
            }),
        }
    }
}
