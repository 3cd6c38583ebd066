//! Examples to text.

use super::Printer;
use crate::syntax::ast::{Assignment, Example, Expectation, ExpectationKind};

impl Printer {
    pub(super) fn example(&mut self, example: &Example) {
        self.put("example ");
        self.name(&example.name);
        self.optional(" ", example.title.as_ref(), Self::quoted);
        self.put(" {");
        if !example.given.is_empty() {
            self.line(1);
            self.put("given ");
            self.list(&example.given, ", ", Self::assignment);
        }
        if let Some(event) = &example.event {
            self.line(1);
            self.put("when ");
            self.expr(event);
        }
        self.line(1);
        self.put("expect ");
        self.list(&example.expected, ", ", Self::expectation);
        self.line(0);
        self.put("}");
    }

    fn assignment(&mut self, assignment: &Assignment) {
        self.expr(&assignment.target);
        self.put(" = ");
        self.expr(&assignment.value);
    }

    fn expectation(&mut self, expectation: &Expectation) {
        let not = |negated: bool| if negated { "not " } else { "" };
        match &expectation.kind {
            ExpectationKind::Holds(condition) => self.expr(condition),
            ExpectationKind::Row { negated, fact, row } => {
                self.put(not(*negated));
                self.name(fact);
                self.put(".");
                self.name(row);
            }
            ExpectationKind::Legal { negated } => {
                self.put(not(*negated));
                self.put("legal");
            }
            ExpectationKind::Impossible { row } => {
                self.put("impossible ");
                self.name(row);
            }
        }
    }
}
