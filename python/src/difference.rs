//! What `referee.diff` is made of; `referee/_diff.py` puts it together.

use std::sync::Arc;

use pyo3::{prelude::*, types::PyBytes};
use referee::failure::Failure;

use crate::{errors::Wrong, loaded::Loaded, source::Named, watch};

/// A row with the name of what it belongs to: `fact.row`, the file and the line.
pub(crate) type Place = (String, String, usize);

/// A line of a transcript, and the row of each game that makes them come apart there.
pub(crate) type Cause = (usize, [Option<Place>; 2]);

/// What messages call a transcript, and all of it.
#[pyfunction]
pub(crate) fn _whole<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
) -> PyResult<(String, Bound<'py, PyBytes>)> {
    let Named { name, source } = Named::of(source, None)?;
    let read = source.read(py)?;
    let text = read.map_err(|error| Wrong::failure(&Failure::Input(error), &name).raised(py))?;
    Ok((name, PyBytes::new(py, &text)))
}

/// The line of a transcript on which two games come apart, and the row of each that makes it so.
pub(crate) fn cause(
    py: Python<'_>,
    [one, other]: [&Arc<Loaded>; 2],
    form: Option<String>,
    text: Vec<u8>,
) -> PyResult<Option<Cause>> {
    let (one, other) = (one.clone(), other.clone());
    watch::apart(py, move || {
        let [one, other] = [&one, &other].map(|loaded| loaded.game().watched().thorough());
        let causes = one.causes(&other, form.as_deref(), &text, 0);
        causes.into_iter().next().map(|(cause, line)| {
            let place = |(name, row): (String, &referee::stream::Row)| {
                (name, row.place.file.clone(), row.place.start.line)
            };
            (line, cause.rows().map(|row| row.map(place)))
        })
    })
}
