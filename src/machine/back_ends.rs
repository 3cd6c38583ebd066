//! Compares the back ends on random modules: both must give the same results, and leave the same machine behind.

use super::{Machine, Memo};
use crate::{
    interpret::{self, Host},
    machine::Executable,
    mir::{
        Field, FunctionId,
        random::{self, ENTRIES, FUNCTIONS, VALUES, WORDS},
        verify,
    },
    native::Native,
    word::Input,
};

/// The arguments that the last function of each module is called with.
const ARGUMENTS: [i64; 4] = [0, 1, -7, i64::MAX];

/// A machine for an empty game, with room for what random modules work on.
fn machine(compiled: &Executable) -> Machine<'_> {
    let size = |count: i64| usize::try_from(count).unwrap_or(0);
    let mut machine = Machine::new(compiled);
    for (place, word) in (0u64..).zip(machine.memory.iter_mut().take(size(WORDS))) {
        *word = place.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    machine.top = size(WORDS);
    machine.partial.values = vec![1; size(VALUES)];
    machine.chosen_fields = (0..WORDS).collect();
    for cache in [&mut machine.facts, &mut machine.new, &mut machine.table] {
        *cache = vec![Memo::default(); size(ENTRIES)];
    }
    machine
}

/// All of a machine that functions can change, as words.
fn state(machine: &Machine<'_>) -> Vec<i64> {
    let fields = [
        Field::Failed,
        Field::Fuel,
        Field::Epoch,
        Field::Top,
        Field::Event,
        Field::Events,
        Field::GameNumber,
        Field::OutputLength,
        Field::WordNext,
        Field::WordFirst,
        Field::WordRow,
        Field::WordValue,
    ];
    let fields = fields.map(|field| machine.get_field(field));
    let caches = [&machine.facts, &machine.new, &machine.table];
    let memos = caches.into_iter().flatten();
    let mut all = fields.to_vec();
    all.extend(machine.memory.iter().map(|word| word.cast_signed()));
    all.extend(&machine.chosen_fields);
    all.extend(machine.partial.values.iter().map(|byte| i64::from(*byte)));
    all.extend(memos.flat_map(|memo| [memo.epoch.cast_signed(), memo.value]));
    all.extend(machine.out.iter().map(|byte| i64::from(*byte)));
    all
}

/// Runs the last function of a module made from `data` on both back ends, one argument after the other, each on the
/// state that the last call left. Returns how often it failed, and the results; nothing without a native back end.
///
/// # Panics
/// If the verifier rejects the module, or the back ends differ.
pub(crate) fn compared(data: &[u8]) -> Option<(usize, Vec<i64>)> {
    let module = &random::module(data);
    let compiled = Executable::default();
    let last = FunctionId(u32::try_from(FUNCTIONS - 1).unwrap_or(0));
    let (mut failed, mut results) = (0, Vec::new());
    assert_eq!(verify(module), Ok(()), "{module}");
    let native = Native::of(module);
    assert_eq!(native.is_some(), cfg!(target_arch = "x86_64"));
    let native = native?;
    let [mut interpreted, mut run] = [(); 2].map(|()| machine(&compiled));
    for argument in ARGUMENTS {
        let input = Input::NONE;
        interpreted.places.failed = 0;
        let expected = interpret::run(module, last, &[argument], &mut interpreted, input);
        run.places.failed = 0;
        run.set_places();
        let found = native.call(last, &mut run, argument);
        let is_failed = interpreted.places.failed != 0;
        // The result of a function that fails does not matter.
        if !is_failed {
            assert_eq!(found, expected, "{argument}\n{module}");
            results.push(expected);
        }
        failed += usize::from(is_failed);
        let (found, expected) = (state(&run), state(&interpreted));
        let place = found
            .iter()
            .zip(&expected)
            .position(|(one, other)| one != other);
        assert_eq!(place, None, "{argument}\n{module}");
        assert_eq!(found.len(), expected.len(), "{module}");
    }
    Some((failed, results))
}
