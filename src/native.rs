//! The native back end: a module to machine code, by Cranelift.
//!
//! An arm for each instruction, in `translate`; what the runtime does is called, by the functions in `calls`. All that
//! is unsafe in this crate is here.
//!
//! Machine code reads and writes the machine by the addresses in its `Places`, which are set before each call from
//! outside and after each call of the runtime that may move what they point to. What it reads and writes lies there: the
//! lowering compares places in memory with its size, and indexes with the length of tables.

mod calls;
mod translate;

use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::default_libcall_names;

use crate::{
    machine::Machine,
    mir::{FunctionId, Module},
};

/// A module as machine code.
pub(crate) struct Native {
    /// For each function, where it lies, and whether it takes an argument.
    functions: Vec<(*const u8, bool)>,
    /// Holds the memory that machine code lies in.
    module: Option<JITModule>,
}

impl std::fmt::Debug for Native {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Native").finish_non_exhaustive()
    }
}

// SAFETY: once it is made, nothing of it changes. What machine code works on is all in the machine that is passed to it,
// of which each run has its own. Nothing in it belongs to a thread.
#[expect(unsafe_code, reason = "addresses of code may be passed on")]
unsafe impl Send for Native {}
// SAFETY: as above.
#[expect(unsafe_code, reason = "code may be run by several at once")]
unsafe impl Sync for Native {}

impl Drop for Native {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the addresses are in `functions` only, and go with it.
            #[expect(unsafe_code, reason = "machine code lies in memory of its own")]
            unsafe {
                module.free_memory();
            }
        }
    }
}

impl Native {
    /// Makes a module machine code; nothing where there is none for this kind of machine.
    pub(crate) fn of(module: &Module) -> Option<Native> {
        // Bytes of a word are read one by one, and addresses are words.
        if cfg!(any(target_endian = "big", not(target_pointer_width = "64"))) {
            return None;
        }
        let mut code = jit_module()?;
        let functions = translate::translate(module, &mut code)?;
        code.finalize_definitions().ok()?;
        let functions = functions.into_iter().zip(&module.functions);
        let functions = functions.map(|(id, function)| {
            let address = code.get_finalized_function(id);
            (address, function.parameters > 0)
        });
        Some(Native {
            functions: functions.collect(),
            module: Some(code),
        })
    }

    /// Runs a function of at most one parameter.
    pub(crate) fn call(
        &self,
        function: FunctionId,
        machine: &mut Machine<'_>,
        argument: i64,
    ) -> i64 {
        let (address, takes_argument) = self.functions[function.0 as usize];
        // SAFETY: the address is that of a function that `translate` made with this signature, for a machine that runs the
        // same module, which the machine borrows.
        #[expect(unsafe_code, reason = "this is where machine code is run")]
        unsafe {
            if takes_argument {
                let function: extern "C" fn(*mut Machine<'_>, i64) -> i64 =
                    std::mem::transmute(address);
                function(machine, argument)
            } else {
                let function: extern "C" fn(*mut Machine<'_>) -> i64 = std::mem::transmute(address);
                function(machine)
            }
        }
    }
}

fn jit_module() -> Option<JITModule> {
    let mut flags = settings::builder();
    let wanted = [
        ("opt_level", "speed"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        (
            "enable_verifier",
            if cfg!(debug_assertions) {
                "true"
            } else {
                "false"
            },
        ),
    ];
    for (name, value) in wanted {
        flags.set(name, value).ok()?;
    }
    let isa = cranelift_native::builder()
        .ok()?
        .finish(settings::Flags::new(flags))
        .ok()?;
    Some(JITModule::new(JITBuilder::with_isa(
        isa,
        default_libcall_names(),
    )))
}
