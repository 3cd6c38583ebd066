//! A rule file by itself: whether it can be read, and how it looks when it is written anew.

use super::Invalid;
use crate::{
    library::RuleText,
    source::Sources,
    syntax::{self, print},
};

impl RuleText {
    /// The rule file in its plain layout and without comments, as `referee show --flat` writes it. Only its syntax is
    /// looked at: neither what it names nor what it uses need be there.
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
                diagnostics,
            }),
        }
    }
}
