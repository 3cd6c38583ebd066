//! The board of weiqi: stones, blocks, and the positions since the last pass.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use super::Rules;

/// Which positions may not come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loops {
    /// Only that before the other's last turn; any other since the last pass ties the game.
    Tie,
    /// None.
    Positional,
    /// None in which the same player was to move.
    Situational,
}

/// What is on a point, or beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Point {
    /// Nothing.
    Empty,
    /// A stone of who starts.
    Black,
    /// A stone of the other.
    White,
    /// No point at all: the rim spares a test at each step.
    Rim,
}

impl Point {
    /// The other colour.
    pub fn rival(self) -> Point {
        match self {
            Point::Black => Point::White,
            Point::White => Point::Black,
            Point::Empty | Point::Rim => self,
        }
    }

    /// As reports call the colour.
    pub fn name(self) -> &'static str {
        match self {
            Point::Black => "black",
            Point::White => "white",
            Point::Empty | Point::Rim => "nobody",
        }
    }
}

/// Why a stone was taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The point is taken.
    Invalid,
    /// The block would be dead and beats nothing; where that is allowed, that it would be one stone.
    Suicide,
    /// The board would be as it may not be again.
    Retake,
}

/// What came of a put that stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Put {
    /// How many puts ago the board was the same, if it was.
    pub loop_length: Option<usize>,
}

/// A board, with its rim around it.
#[derive(Clone, Debug)]
pub struct Board {
    points: Vec<Point>,
    width: usize,
    size: usize,
    hash: u64,
    /// A random number for each colour on each point; a position's hash is the sum of its stones', without carries.
    keys: Vec<[u64; 2]>,
    history: History,
    suicide: bool,
    torus: bool,
    loops: Loops,
    /// The boards that may not come back; those with white to move apart, where that matters.
    seen: [History; 2],
    /// The stones that the last put beat.
    beaten: Vec<usize>,
    block: Vec<usize>,
    /// When a point was last looked at, so that no mark has to be wiped.
    marks: Vec<u32>,
    mark: u32,
}

impl Board {
    /// An empty board.
    pub fn new(rules: &Rules) -> Self {
        let size = rules.size;
        let width = size + 2;
        let mut seed = 0;
        let mut board = Board {
            points: vec![Point::Rim; width * width],
            width,
            size,
            hash: 0,
            keys: (0..width * width)
                .map(|_| [random(&mut seed), random(&mut seed)])
                .collect(),
            history: History::default(),
            suicide: rules.suicide,
            torus: rules.torus,
            loops: rules.loops,
            seen: Default::default(),
            beaten: Vec::new(),
            block: Vec::new(),
            marks: vec![0; width * width],
            mark: 0,
        };
        board.clear();
        board
    }

    /// Takes all stones away.
    pub fn clear(&mut self) {
        for row in 1..=self.size {
            let start = self.at(row, 1);
            self.points[start..start + self.size].fill(Point::Empty);
        }
        self.hash = 0;
        self.pass();
        self.seen.iter_mut().for_each(History::clear);
        self.remember(Point::Black);
    }

    /// Remembers the board as it is now that `turn` is to move.
    pub fn remember(&mut self, turn: Point) {
        if let Some(index) = self.seen_by(turn) {
            self.seen[index].push(self.hash, &self.points);
        }
    }

    /// Which boards may not come back when `turn` is to move; none where only loops since the last pass matter.
    fn seen_by(&self, turn: Point) -> Option<usize> {
        match self.loops {
            Loops::Tie => None,
            Loops::Positional => Some(0),
            Loops::Situational => Some(usize::from(turn == Point::White)),
        }
    }

    /// The stones and the empty points that only they reach, of black and of white.
    pub fn areas(&self) -> [i64; 2] {
        let mut areas = [0, 0];
        let mut looked = vec![false; self.points.len()];
        for place in 0..self.points.len() {
            match self.points[place] {
                Point::Black => areas[0] += 1,
                Point::White => areas[1] += 1,
                Point::Empty if !looked[place] => {
                    looked[place] = true;
                    let mut open = vec![place];
                    let (mut size, mut black, mut white) = (0, false, false);
                    while let Some(place) = open.pop() {
                        size += 1;
                        for beside in self.beside(place) {
                            match self.points[beside] {
                                Point::Black => black = true,
                                Point::White => white = true,
                                Point::Empty if !looked[beside] => {
                                    looked[beside] = true;
                                    open.push(beside);
                                }
                                Point::Empty | Point::Rim => {}
                            }
                        }
                    }
                    match (black, white) {
                        (true, false) => areas[0] += size,
                        (false, true) => areas[1] += size,
                        _ => {}
                    }
                }
                Point::Empty | Point::Rim => {}
            }
        }
        areas
    }

    /// Rows and columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The place of a point, counted from row 1 and column 1.
    pub fn at(&self, row: usize, column: usize) -> usize {
        row * self.width + column
    }

    /// What is on a point.
    pub fn point(&self, place: usize) -> Point {
        self.points[place]
    }

    /// One row of points.
    pub fn row(&self, row: usize) -> &[Point] {
        let start = self.at(row, 1);
        &self.points[start..start + self.size]
    }

    /// The four places beside a point, which may lie on the rim, but not on a torus.
    pub fn beside(&self, place: usize) -> [usize; 4] {
        let beside = [place - self.width, place - 1, place + 1, place + self.width];
        if self.torus {
            beside.map(|place| self.round(place))
        } else {
            beside
        }
    }

    /// A place of the rim as the point at the other side of the torus.
    fn round(&self, place: usize) -> usize {
        let round = |axis: usize| match axis {
            0 => self.size,
            axis if axis > self.size => 1,
            axis => axis,
        };
        self.at(round(place / self.width), round(place % self.width))
    }

    /// The stones that the last put beat, each once.
    pub fn beaten(&self) -> &[usize] {
        &self.beaten
    }

    /// A number that equal boards share, and others hardly ever.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// A pass of any kind: what was before it forbids and ties nothing any more.
    pub fn pass(&mut self) {
        self.history.clear();
        self.history.push(self.hash, &self.points);
    }

    /// Puts a stone, if that is allowed; if not the board is as it was.
    pub fn put(&mut self, place: usize, colour: Point) -> Result<Put, Refusal> {
        if self.points[place] != Point::Empty {
            return Err(Refusal::Invalid);
        }
        self.set(place, colour);
        self.beaten.clear();
        for beside in self.beside(place) {
            // A block that touches the stone twice is away when it is met again.
            if self.points[beside] == colour.rival() && self.find_dead(beside) {
                let block = std::mem::take(&mut self.block);
                for stone in &block {
                    self.set(*stone, Point::Empty);
                }
                self.beaten.extend_from_slice(&block);
                self.block = block;
            }
        }
        let dead = self.beaten.is_empty() && self.find_dead(place);
        let lost = if dead { self.block.clone() } else { Vec::new() };
        if dead && (!self.suicide || lost.len() == 1) {
            self.set(place, Point::Empty);
            return Err(Refusal::Suicide);
        }
        for stone in &lost {
            self.set(*stone, Point::Empty);
        }
        let loop_length = match self.loops {
            Loops::Tie => self.history.since(self.hash, &self.points),
            Loops::Positional | Loops::Situational => None,
        };
        let seen = self.seen_by(colour.rival()).is_some_and(|index| {
            let before = self.seen[index].since(self.hash, &self.points);
            before.is_some()
        });
        if loop_length == Some(2) || seen {
            for stone in lost {
                self.set(stone, colour);
            }
            self.set(place, Point::Empty);
            for stone in std::mem::take(&mut self.beaten) {
                self.set(stone, colour.rival());
            }
            return Err(Refusal::Retake);
        }
        if self.loops == Loops::Tie {
            self.history.push(self.hash, &self.points);
        }
        Ok(Put { loop_length })
    }

    /// How many stones the block at this place has.
    pub fn block_size(&mut self, place: usize) -> usize {
        self.find_block(place, |_| false);
        self.block.len()
    }

    fn set(&mut self, place: usize, point: Point) {
        // Of the two one is empty, and adds nothing.
        for stone in [self.points[place], point] {
            self.hash ^= match stone {
                Point::Black => self.keys[place][0],
                Point::White => self.keys[place][1],
                Point::Empty | Point::Rim => 0,
            };
        }
        self.points[place] = point;
    }

    /// Whether no point beside the block is empty; then `block` holds its stones.
    fn find_dead(&mut self, place: usize) -> bool {
        !self.find_block(place, |point| point == Point::Empty)
    }

    /// Collects a block until there is something beside it that is looked for.
    fn find_block(&mut self, place: usize, looked_for: impl Fn(Point) -> bool) -> bool {
        let colour = self.points[place];
        if self.mark == u32::MAX {
            self.marks.fill(0);
            self.mark = 0;
        }
        self.mark += 1;
        self.marks[place] = self.mark;
        self.block.clear();
        self.block.push(place);
        let mut next = 0;
        while let Some(&stone) = self.block.get(next) {
            next += 1;
            for beside in self.beside(stone) {
                let point = self.points[beside];
                if looked_for(point) {
                    return true;
                }
                if point == colour && self.marks[beside] != self.mark {
                    self.marks[beside] = self.mark;
                    self.block.push(beside);
                }
            }
        }
        false
    }
}

/// Boards that may come back, or may not.
#[derive(Clone, Debug, Default)]
struct History {
    known: HashSet<u64, BuildHasherDefault<Identity>>,
    hashes: Vec<u64>,
    /// One board after the other, to be sure when hashes agree.
    boards: Vec<Point>,
}

impl History {
    fn clear(&mut self) {
        self.known.clear();
        self.hashes.clear();
        self.boards.clear();
    }

    fn push(&mut self, hash: u64, board: &[Point]) {
        self.known.insert(hash);
        self.hashes.push(hash);
        self.boards.extend_from_slice(board);
    }

    /// How many puts ago the board was this one, counting the put that made it so again.
    fn since(&self, hash: u64, board: &[Point]) -> Option<usize> {
        if !self.known.contains(&hash) {
            return None;
        }
        let boards = self
            .hashes
            .iter()
            .zip(self.boards.chunks_exact(board.len()));
        let same = boards
            .rev()
            .position(|(other, before)| *other == hash && before == board);
        same.map(|index| index + 1)
    }
}

/// A hash is as good as another hash of it.
#[derive(Clone, Debug, Default)]
struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// The next number of Vigna's splitmix64.
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut number = *seed;
    number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}
