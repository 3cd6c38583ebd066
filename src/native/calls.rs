//! The calls from machine code into the runtime.

use crate::{
    machine::{Machine, runtime},
    mir::{Callee, callees},
    word::{Input, Word},
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
        /// The address of a function of the runtime.
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
                // SAFETY: relies on that this is a machine that nothing else uses meanwhile. Machine code passes on what
                // `Native::call` gave it, an exclusive borrow that waits until the code returns, and keeps no part of
                // it over a call: `translate` reads `Places` anew for each access, and Cranelift takes a call to
                // write all memory. The function has as many parameters as arguments are passed: the verifier
                // compares that with the list that this is made of.
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

/// The words of the transcript that are being read.
fn input<'i>(machine: &Machine<'_>) -> Input<'i> {
    let window = machine.window();
    if window.count == 0 {
        return Input::NONE;
    }
    // SAFETY: relies on that the words and the text still lie where the window says. `Machine::open_window` takes both from
    // slices that `play_lowered` and `read_lowered` borrow, and they close it before they return; without a window
    // there are no words, which is seen above. What is given here lives as long as one call of the runtime: the
    // functions there take it for any lifetime, so that none can keep it.
    #[expect(unsafe_code, reason = "machine code has the transcript as addresses")]
    unsafe {
        Input {
            words: std::slice::from_raw_parts(window.words as *const Word, window.count),
            text: std::slice::from_raw_parts(window.text as *const u8, window.length),
        }
    }
}
