//! Executes layout instructions: it chooses the line breaks that keep lines from being too long.

/// How many columns a line may have, unless a single text or comment takes more.
pub(super) const WIDTH: usize = 120;

/// The column, from 0, of trailing comments.
const COMMENTS: usize = 45;

/// The number of a group: a set of places that all break the line, or none does.
pub(super) type Group = usize;

/// A layout instruction.
#[derive(Debug)]
pub(super) enum Op<'t> {
    /// A text as it is.
    Text(&'t str),
    /// Blanks.
    Blanks(usize),
    /// Blanks, if the group takes several lines and they fit into a line.
    Pad(Group, usize),
    /// A line break.
    Line {
        /// Whether an empty line follows.
        blank: bool,
    },
    /// A line break if the group takes several lines, or else a blank.
    GroupLine {
        /// The group.
        group: Group,
        /// Whether it is always a blank.
        joined: bool,
        /// Whether the author has a line break here.
        kept: bool,
        /// Whether an empty line follows, if it is a line break.
        blank: bool,
    },
    /// A line break if one is needed, or else a blank.
    Break {
        /// The precedence: the loosest breaks first.
        level: u16,
        /// Whether the author has a line break here.
        kept: bool,
    },
    /// A trailing comment, after something on the same line.
    Trailing(&'t str),
    /// A comment that continues the trailing one on the line above.
    Continued(&'t str),
    /// The start of a group.
    Open(Group),
    /// The end of a group.
    Close(Group),
    /// Following lines are indented by so much more.
    Indent(usize),
    /// Following lines are aligned to the current column.
    Align,
    /// Ends the last `Indent` or `Align`.
    Outdent,
}

/// The state of the output.
struct Layout {
    text: String,
    /// The width of the current line, without pending blanks.
    column: usize,
    /// Pending blanks, which are emitted before the next word.
    due: usize,
    /// The current indentations, innermost last.
    indents: Vec<usize>,
    /// Whether each group takes several lines, as far as it is decided.
    broken: Vec<Option<bool>>,
    /// The column of the last trailing comment.
    comment: usize,
    /// Whether a line is broken where the author's is not.
    has_new_lines: bool,
}

/// Executes `ops`, which have so many groups. Returns also whether it breaks lines where the author does not.
pub(super) fn layout(ops: &[Op], groups: usize) -> (String, bool) {
    let mut layout = Layout {
        text: String::new(),
        column: 0,
        due: 0,
        indents: vec![0],
        broken: vec![None; groups],
        comment: COMMENTS,
        has_new_lines: false,
    };
    for (at, op) in ops.iter().enumerate() {
        layout.op(op, ops.get(at + 1..).unwrap_or(&[]));
    }
    layout.text.truncate(layout.text.trim_end().len());
    if !layout.text.is_empty() {
        layout.text.push('\n');
    }
    (layout.text, layout.has_new_lines)
}

impl Layout {
    fn op(&mut self, op: &Op, rest: &[Op]) {
        match *op {
            Op::Text(text) => self.word(text),
            Op::Blanks(blanks) => self.due += blanks,
            Op::Pad(group, blanks) => {
                if self.is_broken(group) && blanks <= WIDTH {
                    self.due += blanks;
                }
            }
            Op::Line { blank } => self.line(blank),
            Op::GroupLine {
                group,
                joined,
                kept,
                blank,
            } => {
                if self.is_broken(group) && !joined {
                    self.has_new_lines |= !kept;
                    self.line(blank);
                } else {
                    self.due += 1;
                }
            }
            Op::Break { level, kept } => {
                let room = WIDTH.saturating_sub(self.column + self.due + 1);
                if kept || self.stretch(rest, level) > room {
                    self.has_new_lines |= !kept;
                    self.line(false);
                } else {
                    self.due += 1;
                }
            }
            Op::Trailing(comment) => {
                let blanks = COMMENTS.checked_sub(self.column);
                self.due = blanks.filter(|blanks| *blanks > 0).unwrap_or(2);
                self.comment = self.column + self.due;
                self.word(comment);
            }
            Op::Continued(comment) => {
                self.due = self.comment;
                self.word(comment);
            }
            Op::Open(group) => {
                let room = WIDTH.saturating_sub(self.column + self.due);
                let broken = flat(rest, group).is_none_or(|width| width > room);
                if let Some(known) = self.broken.get_mut(group) {
                    *known = Some(broken);
                }
            }
            Op::Close(_) => {}
            Op::Indent(more) => self.indents.push(self.indent() + more),
            Op::Align => self.indents.push(self.column + self.due),
            Op::Outdent => {
                self.indents.pop();
            }
        }
    }

    fn is_broken(&self, group: Group) -> bool {
        self.broken.get(group).copied().flatten() == Some(true)
    }

    fn indent(&self) -> usize {
        self.indents.last().copied().unwrap_or(0)
    }

    fn word(&mut self, text: &str) {
        self.text.extend(std::iter::repeat_n(' ', self.due));
        self.text.push_str(text);
        self.column += self.due + text.chars().count();
        self.due = 0;
    }

    fn line(&mut self, blank: bool) {
        // Empty lines at the start are left out.
        if !self.text.is_empty() {
            self.text.push_str(if blank { "\n\n" } else { "\n" });
        }
        self.column = 0;
        self.due = self.indent();
    }

    /// The width up to the next place that breaks the line, or may break it and binds no tighter.
    fn stretch(&self, ops: &[Op], level: u16) -> usize {
        let mut width = 0;
        for op in ops {
            match *op {
                Op::GroupLine { group, joined, .. } => {
                    let is_flat = self.broken.get(group).copied().flatten() == Some(false);
                    if !is_flat && !joined {
                        break;
                    }
                    width += 1;
                }
                Op::Pad(group, blanks) if self.is_broken(group) && blanks <= WIDTH => {
                    width += blanks;
                }
                Op::Break { level: other, kept } if kept || other <= level => break,
                Op::Line { .. } | Op::Trailing(_) | Op::Continued(_) => break,
                _ => width += op.width(),
            }
            if width > WIDTH {
                break;
            }
        }
        width
    }
}

impl Op<'_> {
    /// The width on one line.
    fn width(&self) -> usize {
        match self {
            Op::Text(text) => text.chars().count(),
            Op::Blanks(blanks) => *blanks,
            Op::Break { .. } | Op::GroupLine { .. } => 1,
            _ => 0,
        }
    }
}

/// The width of a group on one line, with what follows it up to the next possible break; none if the group contains a
/// line break.
fn flat(ops: &[Op], group: Group) -> Option<usize> {
    let mut width = 0;
    let mut within = true;
    for op in ops {
        let may_end = matches!(
            op,
            Op::Break { .. } | Op::GroupLine { .. } | Op::Line { .. }
        );
        match op {
            Op::Close(closed) if *closed == group => within = false,
            _ if may_end && !within => break,
            Op::Line { .. } | Op::Break { kept: true, .. } | Op::GroupLine { kept: true, .. } => {
                return None;
            }
            _ => width += op.width(),
        }
        if width > WIDTH {
            break;
        }
    }
    Some(width)
}

/// The width of `ops` on one line; none if they contain a line break.
pub(super) fn width(ops: &[Op]) -> Option<usize> {
    let mut width = 0;
    for op in ops {
        match op {
            Op::Line { .. } | Op::Break { kept: true, .. } | Op::GroupLine { kept: true, .. } => {
                return None;
            }
            _ => width += op.width(),
        }
    }
    Some(width)
}
