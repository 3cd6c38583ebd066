//! What machine code calls: the runtime, with words.

use crate::{
    machine::{Input, Machine, runtime},
    mir::{Callee, callees},
    word::Word,
};

/// The machine, as machine code has it.
type Raw = *mut Machine<'static>;

macro_rules! words {
    ($parameter:ident) => {
        i64
    };
}

macro_rules! wrappers {
    ($($(#[$doc:meta])* $name:ident $function:ident($($parameter:ident),*) $may:ident;)*) => {
        /// Where a function of the runtime is.
        pub(super) fn address(callee: Callee) -> usize {
            match callee {
                $(Callee::$name => {
                    let function: extern "C" fn(Raw $(, words!($parameter))*) -> i64 = $function;
                    function as usize
                })*
            }
        }

        $(
            extern "C" fn $function(raw: Raw $(, $parameter: i64)*) -> i64 {
                // SAFETY: machine code passes on the machine that `Native::call` gave it, and nothing else uses it
                // meanwhile.
                #[expect(unsafe_code, reason = "machine code has the machine as an address")]
                let machine = unsafe { &mut *raw };
                let input = input(machine);
                let given = runtime::$function(machine, input, [$($parameter),*]);
                machine.value_or_failed(given)
            }
        )*
    };
}
callees!(wrappers);

/// The words of the transcript that are read.
fn input<'i>(machine: &Machine<'_>) -> Input<'i> {
    let window = machine.window();
    if window.count == 0 {
        return Input::NONE;
    }
    // SAFETY: the window is open only while `Machine::play_lowered` or `Machine::read_lowered` borrows the words and the
    // text, which it has the addresses and lengths of; no callee keeps them.
    #[expect(unsafe_code, reason = "machine code has the transcript as addresses")]
    unsafe {
        Input {
            words: std::slice::from_raw_parts(window.words as *const Word, window.count),
            text: std::slice::from_raw_parts(window.text as *const u8, window.length),
        }
    }
}
