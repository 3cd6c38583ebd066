//! `referee run --format arrow` and `parquet`: what happens in runs, as tables.

use std::{
    cell::RefCell,
    fs::{self, File},
    io::{self, BufWriter, IsTerminal as _, Write},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use arrow_array::RecordBatch;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use clap::ValueEnum;
use parquet::{
    arrow::ArrowWriter,
    basic::Compression,
    file::properties::{EnabledStatistics, WriterProperties},
};
use referee::{
    failure::Failure,
    game::{Game, Watched},
    stream::{End, Item},
    tables::{Batch, Kind, Stopped},
};

use super::{
    Exit,
    error::{Error, Result},
    findings::{Findings, Style},
    inputs::Source,
    parallel::{self, HasSize, Told},
    pin::{Head, Pins},
    reporter::Form,
    run::{Arguments, Piece},
};

/// How many rows a batch has at most, but for those of the last event.
const ROWS: usize = 1 << 16;

/// How many rows of a Parquet file are in memory at most.
const ROWS_OF_GROUP: usize = 1 << 17;

/// Which tables are written, and where.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Tabled {
    /// With `--format arrow` or `parquet`: the tables to write. Without it, all but `facts`, which take as long as all
    /// others together
    #[arg(
        long = "table",
        value_enum,
        value_name = "TABLE",
        value_delimiter = ','
    )]
    tables: Vec<Table>,
    /// The folder in which each table becomes a file; without it, one table goes to standard output
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// A table, as it is named on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Table {
    // Help of their own would make that of the whole command as long as a manual.
    Runs,
    Events,
    Changes,
    Said,
    Facts,
}

impl Table {
    fn kind(self) -> Kind {
        match self {
            Table::Runs => Kind::Runs,
            Table::Events => Kind::Events,
            Table::Changes => Kind::Changes,
            Table::Said => Kind::Said,
            Table::Facts => Kind::Facts,
        }
    }
}

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    Arrow,
    Parquet,
}

impl Tabled {
    /// How tables are written, if they are what is wanted.
    ///
    /// # Errors
    /// These arguments make no sense.
    pub(super) fn wanted(&self, form: Form) -> Result<Option<Written>> {
        let written = match form {
            Form::Arrow => Written::Arrow,
            Form::Parquet => Written::Parquet,
            Form::Text | Form::Jsonl if self.tables.is_empty() && self.out.is_none() => {
                return Ok(None);
            }
            Form::Text | Form::Jsonl => {
                return Err(Error::usage("`--table` and `--out` are for tables")
                    .with_help("add `--format parquet` or `--format arrow`"));
            }
        };
        if self.out.is_some() {
            return Ok(Some(written));
        }
        if self.tables.len() != 1 {
            return Err(Error::usage("standard output takes one table")
                .with_help("name it: `--table events`")
                .with_help("or write each into a file of its own: `--out FOLDER`"));
        }
        if io::stdout().is_terminal() {
            return Err(
                Error::usage("a table is binary, and a terminal cannot show it")
                    .with_help("write it to a file with `>`, or add `--out FOLDER`"),
            );
        }
        Ok(Some(written))
    }

    /// The tables that are wanted, each once.
    fn kinds(&self) -> Vec<Kind> {
        let named = |kind: &Kind| self.tables.iter().any(|table| table.kind() == *kind);
        let usual = |kind: &Kind| self.tables.is_empty() && *kind != Kind::Facts;
        let kinds = Kind::ALL.into_iter();
        kinds.filter(|kind| named(kind) || usual(kind)).collect()
    }
}

/// Runs a game on transcripts, and writes what happens as tables.
pub(super) fn run(
    game: &Game,
    written: Written,
    arguments: &Arguments,
    inputs: &[PathBuf],
    findings: &mut Findings<'_>,
) -> Result {
    let kinds = arguments.tabled.kinds();
    let mut files = Files::new(written, arguments.tabled.out.as_deref(), &kinds)?;
    let making = Making {
        game,
        watched: game.watched().for_tables(&kinds),
        form: arguments.transcript.as_deref(),
        kinds,
        style: findings.style,
    };
    let work = |group: Vec<Source<'_>>, tell: Told<'_, Piece<(Kind, RecordBatch)>>| {
        making.group(group, tell);
    };
    let mut exit = Exit::Done;
    let mut told = |piece: Piece<(Kind, RecordBatch)>| {
        piece.told(findings, &mut exit, |(kind, batch)| {
            files.write(kind, &batch).context(UNWRITTEN)
        })
    };
    if arguments.jobs == 1 {
        parallel::run_here(inputs, work, told)?;
    } else {
        parallel::run(arguments.jobs, inputs, work, |piece, progress| {
            progress.hidden(|| told(piece))
        })?;
    }
    files.finish().context(UNWRITTEN)?;
    Ok(exit)
}

impl HasSize for (Kind, RecordBatch) {
    fn size(&self) -> usize {
        self.1.get_array_memory_size()
    }
}

/// What makes rows.
struct Making<'g> {
    game: &'g Game,
    watched: Watched<'g>,
    form: Option<&'g str>,
    kinds: Vec<Kind>,
    style: Style,
}

impl Making<'_> {
    /// Runs the game on some transcripts. Batches begin and end with groups, so that they do not depend on how many threads
    /// there are.
    fn group(&self, group: Vec<Source<'_>>, tell: Told<'_, Piece<(Kind, RecordBatch)>>) {
        let batches = self.kinds.iter();
        let mut batches: Vec<(Kind, Batch)> =
            batches.map(|kind| (*kind, Batch::new(*kind))).collect();
        for source in group {
            let name = source.name();
            let ended = self.run(source, &mut batches, tell);
            if !ended.is_none_or(|failure| tell(Piece::failed(failure, &name, self.style))) {
                return;
            }
        }
        for (kind, batch) in &mut batches {
            if batch.count() > 0 && send(*kind, batch, tell).is_err() {
                return;
            }
        }
    }

    /// Runs the game on a transcript, and gives what stopped it.
    fn run(
        &self,
        source: Source<'_>,
        batches: &mut [(Kind, Batch)],
        tell: Told<'_, Piece<(Kind, RecordBatch)>>,
    ) -> Option<Failure> {
        let name = source.name();
        let pins = Pins::new(self.game);
        let pinned = RefCell::new(Vec::new());
        let pin = |line: &str| pinned.borrow_mut().extend(pins.differs(&name, line));
        let mut end = End::default();
        let ran = match source.opened() {
            Err(error) => Err(Failure::Input(error)),
            Ok(input) => {
                let mut input = Head::new(input, &pin);
                let told = &mut |item| {
                    match item {
                        Item::Event(event) => {
                            end.events += 1;
                            end.games = event.game;
                            for (kind, batch) in &mut *batches {
                                batch.event(&name, &event);
                                if batch.count() >= ROWS {
                                    send(*kind, batch, tell)?;
                                }
                            }
                        }
                        Item::End(all) => end = all,
                        Item::Run(_) | Item::Row(_) | Item::Error(_) => {}
                    }
                    Ok(())
                };
                self.watched.run(self.form, &name, &mut input, told)
            }
        };
        let failure = ran.err();
        let data = failure.as_ref().and_then(|failure| failure.to_data(&name));
        let stopped = failure.as_ref().map(|failure| Stopped {
            kind: kind_of(failure),
            data: data.as_ref(),
        });
        for (_, batch) in batches {
            batch.run(&name, end, stopped.as_ref());
        }
        for differs in pinned.take() {
            tell(Piece::Pinned(differs));
        }
        failure
    }
}

/// Sends what a batch has.
fn send(
    kind: Kind,
    batch: &mut Batch,
    tell: Told<'_, Piece<(Kind, RecordBatch)>>,
) -> io::Result<()> {
    let taken = batch.taken().map_err(io::Error::other)?;
    if tell(Piece::Part((kind, taken))) {
        Ok(())
    } else {
        Err(io::ErrorKind::BrokenPipe.into())
    }
}

/// What the table of runs calls what stopped one.
fn kind_of(failure: &Failure) -> &'static str {
    match Exit::from(failure) {
        Exit::Rules => "rules",
        Exit::Transcript => "transcript",
        Exit::Bound => "bound",
        Exit::Machine => "machine",
        Exit::Done | Exit::No | Exit::Usage => "usage",
    }
}

/// Where tables go.
type Output = BufWriter<Box<dyn Write + Send>>;

/// A table that is written.
enum Writer {
    Stream(Box<StreamWriter<Output>>),
    File(Box<FileWriter<Output>>),
    Parquet(Box<ArrowWriter<Output>>),
}

/// All tables that are written.
struct Files {
    writers: Vec<(Kind, Writer)>,
    /// Of each file the path that it has until it is whole, and the one that it has then.
    paths: Vec<(PathBuf, PathBuf)>,
}

/// What is said where the disk is full.
const UNWRITTEN: &str = "the tables cannot be written";

impl Files {
    fn new(written: Written, folder: Option<&Path>, kinds: &[Kind]) -> anyhow::Result<Files> {
        let mut files = Files {
            writers: Vec::new(),
            paths: Vec::new(),
        };
        for kind in kinds {
            let output: Box<dyn Write + Send> = match folder {
                None => Box::new(io::stdout()),
                Some(folder) => Box::new(files.file(folder, written, *kind)?),
            };
            let output = BufWriter::with_capacity(1 << 16, output);
            let schema = kind.schema();
            let writer = match (written, folder) {
                (Written::Arrow, None) => {
                    Writer::Stream(Box::new(StreamWriter::try_new(output, &schema)?))
                }
                (Written::Arrow, Some(_)) => {
                    Writer::File(Box::new(FileWriter::try_new(output, &schema)?))
                }
                (Written::Parquet, _) => {
                    let properties = WriterProperties::builder()
                        .set_compression(Compression::SNAPPY)
                        .set_statistics_enabled(EnabledStatistics::Chunk)
                        .set_max_row_group_row_count(Some(ROWS_OF_GROUP))
                        .build();
                    let writer = ArrowWriter::try_new(output, schema, Some(properties))?;
                    Writer::Parquet(Box::new(writer))
                }
            };
            files.writers.push((*kind, writer));
        }
        Ok(files)
    }

    /// A new file for a table.
    fn file(&mut self, folder: &Path, written: Written, kind: Kind) -> anyhow::Result<File> {
        let ending = match written {
            Written::Arrow => "arrow",
            Written::Parquet => "parquet",
        };
        fs::create_dir_all(folder)
            .with_context(|| format!("`{}` cannot be created", folder.display()))?;
        let path = folder.join(format!("{}.{ending}", kind.name()));
        let part = folder.join(format!("{}.{ending}.part", kind.name()));
        let file = File::create(&part)
            .with_context(|| format!("`{}` cannot be written", part.display()))?;
        self.paths.push((part, path));
        Ok(file)
    }

    fn write(&mut self, kind: Kind, batch: &RecordBatch) -> anyhow::Result<()> {
        let mut writers = self.writers.iter_mut();
        match writers.find(|(found, _)| *found == kind) {
            Some((_, Writer::Stream(writer))) => writer.write(batch)?,
            Some((_, Writer::File(writer))) => writer.write(batch)?,
            Some((_, Writer::Parquet(writer))) => writer.write(batch)?,
            None => {}
        }
        Ok(())
    }

    /// Ends all tables. Only then a file has its name.
    fn finish(self) -> anyhow::Result<()> {
        for (_, writer) in self.writers {
            let mut output = match writer {
                Writer::Stream(writer) => writer.into_inner()?,
                Writer::File(writer) => writer.into_inner()?,
                Writer::Parquet(writer) => writer.into_inner()?,
            };
            output.flush()?;
        }
        for (part, path) in self.paths {
            fs::rename(&part, &path)
                .with_context(|| format!("`{}` cannot be written", path.display()))?;
        }
        Ok(())
    }
}
