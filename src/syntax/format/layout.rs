//! Instructions to text: which of the places where a line may break are needed, so that lines are not too long.

/// How many columns a line may have, unless a text or a comment takes more.
pub(super) const WIDTH: usize = 120;

/// The column, from 0, at which a comment begins that stands behind something.
const COMMENTS: usize = 45;

/// The number of a group: places that are all ends of lines, or none is.
pub(super) type Group = usize;

/// What a text is made of.
#[derive(Debug)]
pub(super) enum Op<'t> {
    /// Written as it is.
    Text(&'t str),
    /// Blanks.
    Blanks(usize),
    /// Blanks, if the group is on several lines and they are not wider than a line.
    Pad(Group, usize),
    /// The end of a line.
    Line {
        /// Whether an empty line follows.
        blank: bool,
    },
    /// The end of a line, if the group is on several lines; else a blank.
    GroupLine {
        /// The group.
        group: Group,
        /// Whether it is a blank in any case.
        joined: bool,
        /// Whether the author has a line end here.
        kept: bool,
        /// Whether an empty line follows, if it is the end of a line.
        blank: bool,
    },
    /// The end of a line where one is needed; else a blank.
    Break {
        /// How tightly it binds: the loosest is broken first.
        level: u16,
        /// Whether the author has a line end here.
        kept: bool,
    },
    /// A comment behind something.
    Trailing(&'t str),
    /// A comment that continues the one behind something on the line above.
    Continued(&'t str),
    /// A group begins.
    Open(Group),
    /// A group ends.
    Close(Group),
    /// Lines that follow are so much further in.
    Indent(usize),
    /// Lines that follow begin at the present column.
    Align,
    /// Ends what the last of the two has begun.
    Outdent,
}

/// What has been written.
struct Layout {
    text: String,
    /// How many columns the present line has, without the blanks that are due.
    column: usize,
    /// Blanks that are due before the next word.
    due: usize,
    /// Where lines begin.
    indents: Vec<usize>,
    /// Which groups are on several lines, as far as that is decided.
    broken: Vec<Option<bool>>,
    /// Where the last comment behind something began.
    comment: usize,
}

/// Writes what `ops` say, of so many groups.
pub(super) fn layout(ops: &[Op], groups: usize) -> String {
    let mut layout = Layout {
        text: String::new(),
        column: 0,
        due: 0,
        indents: vec![0],
        broken: vec![None; groups],
        comment: COMMENTS,
    };
    for (at, op) in ops.iter().enumerate() {
        layout.op(op, ops.get(at + 1..).unwrap_or(&[]));
    }
    layout.text.truncate(layout.text.trim_end().len());
    if !layout.text.is_empty() {
        layout.text.push('\n');
    }
    layout.text
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
                blank,
                ..
            } => {
                if self.is_broken(group) && !joined {
                    self.line(blank);
                } else {
                    self.due += 1;
                }
            }
            Op::Break { level, kept } => {
                let room = WIDTH.saturating_sub(self.column + self.due + 1);
                if kept || self.stretch(rest, level) > room {
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
        // The first line of a text is not ended before something stands on it.
        if !self.text.is_empty() {
            self.text.push_str(if blank { "\n\n" } else { "\n" });
        }
        self.column = 0;
        self.due = self.indent();
    }

    /// How wide what follows is up to the next place that ends a line, or may do so and binds no tighter.
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
    /// How wide it is where no line ends.
    fn width(&self) -> usize {
        match self {
            Op::Text(text) => text.chars().count(),
            Op::Blanks(blanks) => *blanks,
            Op::Break { .. } | Op::GroupLine { .. } => 1,
            _ => 0,
        }
    }
}

/// How wide a group is on one line, with what follows it up to where the line may end; nothing if a line ends within
/// it.
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

/// How wide `ops` are on one line; nothing if a line ends among them.
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
