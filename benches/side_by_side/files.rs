//! Many small transcripts, in files and in archives: how much less time two threads take than one.

use std::{
    fs::{self, File},
    io::{self, BufWriter},
    path::{Path, PathBuf},
    process::Stdio,
    time::Instant,
};

use crate::{
    Wanted,
    contest::Contest,
    measure::{self, median},
};

/// How many files there are.
const FILES: u64 = 1_000_000;

/// How many of them lie in a folder.
const IN_FOLDER: u64 = 1000;

/// A folder that is there for as long as this is.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for such files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn run(wanted: &Wanted) -> io::Result<()> {
    if !wanted.part("files") {
        return Ok(());
    }
    let contest = Contest::required("mau-mau")?;
    let mut texts = Vec::new();
    for games in 1..=8 {
        let mut text = Vec::new();
        contest.generate(games, &mut text)?;
        texts.push(text);
    }
    let count = wanted.less(FILES);
    let name = format!("files-{}", std::process::id());
    let scratch = Scratch(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name));
    let folder = scratch.0.join("files");
    for (number, text) in (0..count).zip(texts.iter().cycle()) {
        let within = folder.join(format!("{:04}", number / IN_FOLDER));
        if number % IN_FOLDER == 0 {
            fs::create_dir_all(&within)?;
        }
        fs::write(within.join(format!("{:03}.txt", number % IN_FOLDER)), text)?;
    }
    let archive = scratch.0.join("files.tar");
    let mut builder = tar::Builder::new(BufWriter::new(File::create(&archive)?));
    builder.append_dir_all("files", &folder)?;
    builder.into_inner()?.into_inner()?;
    let packed = scratch.0.join("files.tar.gz");
    let mut encoder =
        flate2::write::GzEncoder::new(File::create(&packed)?, flate2::Compression::fast());
    io::copy(&mut File::open(&archive)?, &mut encoder)?;
    encoder.finish()?;

    measure::head(
        "Many small transcripts, by the clock",
        &[
            "transcripts",
            "number",
            "`-j 1`, s",
            "`-j 2`, s",
            "of linear, %",
            "MiB",
        ],
    );
    for (name, path) in [("files", &folder), (".tar", &archive), (".tar.gz", &packed)] {
        let mut memory = 0;
        let (mut alone, mut both) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            for (jobs, times) in [("1", &mut alone), ("2", &mut both)] {
                let (seconds, mebibytes) = time(&contest, jobs, path)?;
                times.push(seconds);
                memory = memory.max(mebibytes);
            }
        }
        let (alone, both) = (median(alone), median(both));
        measure::line(&[
            name.to_string(),
            count.to_string(),
            format!("{alone:.1}"),
            format!("{both:.1}"),
            format!("{:.0}", alone / both * 50.0),
            memory.to_string(),
        ]);
    }
    Ok(())
}

/// How many seconds a run over these transcripts takes on so many threads, and how many MiB.
fn time(contest: &Contest, jobs: &str, path: &Path) -> io::Result<(f64, u64)> {
    let mut command = contest.interpreter();
    command.args(["-j", jobs]).arg(path);
    let began = Instant::now();
    let cost = measure::cost(&mut command, Stdio::null())?;
    Ok((began.elapsed().as_secs_f64(), cost.mebibytes()))
}
