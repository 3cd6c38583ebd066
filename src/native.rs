//! The native back end: a module to machine code, by Cranelift.
//!
//! An arm for each instruction, in `translate`; what the runtime does is called, by the functions in `calls`. All that
//! is unsafe in this crate is here. There is native code on x86-64 only, where it is tested; elsewhere the interpreter
//! runs the same modules.
//!
//! # What machine code relies on
//!
//! It is unsafe as a whole, though no `unsafe` marks it. It relies on:
//!
//! - *The module is one that the verifier accepts.* Registers are written before they are read, what is named exists, and
//!   calls have as many arguments as parameters. Debug builds verify each module, and so do the tests that run random
//!   ones on both back ends.
//! - *Each place lies in its space.* The lowering compares an index that it does not know with the size of its space, or
//!   knows its range by the type of the value. The verifier checks loads from tables at places known beforehand. The
//!   interpreter checks every place, and panics: the tests run every case on it too.
//! - *Divisors are not 0, and quotients fit.* The lowering divides by what it knows to be more than 0 itself, and leaves
//!   other divisions to the runtime.
//! - *The addresses in `Places` are those of the machine that runs.* They are set before each call from outside, and
//!   after each call of the runtime that may move what they point to, by what moves it.
//! - *Tables stay where they are.* Machine code has their addresses; `Engine` keeps the module as long as the code.

mod calls;
mod translate;

use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::default_libcall_names;

use crate::{
    machine::Machine,
    mir::{BlockBody, End, Function, FunctionId, Inst, Module},
};

/// The most instructions of a function in machine code: the time for register allocation grows faster than the
/// function.
const MOST_INSTRUCTIONS: usize = 1 << 14;

/// A module as machine code.
pub(crate) struct Native {
    /// For each function, its address, and its number of parameters besides the machine.
    functions: Vec<(*const u8, usize)>,
    /// Owns the memory of the machine code.
    module: Option<JITModule>,
}

impl std::fmt::Debug for Native {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Native").finish_non_exhaustive()
    }
}

// SAFETY: relies on that nothing of it changes once it is made, and nothing in it belongs to a thread. All methods but `of`
// take it shared, and machine code writes only to the machine that is passed to it, of which each run has its own, as its
// type says: `&mut`.
#[expect(unsafe_code, reason = "addresses of code may be passed on")]
unsafe impl Send for Native {}
// SAFETY: as above: what several threads run at once is code and tables, which nobody writes.
#[expect(unsafe_code, reason = "code may be run by several at once")]
unsafe impl Sync for Native {}

impl Drop for Native {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: relies on that no function runs or is called any more. Their addresses are in `functions` only, which
            // goes with this; a call borrows this until it returns.
            #[expect(unsafe_code, reason = "machine code lies in memory of its own")]
            unsafe {
                module.free_memory();
            }
        }
    }
}

impl Native {
    /// Compiles a module to machine code. Nothing if this target has no native back end, a function is too long, or
    /// there is no memory.
    pub(crate) fn of(module: &Module) -> Option<Native> {
        // The only place that says which targets have a native back end: those on which it is tested.
        if cfg!(not(all(
            target_arch = "x86_64",
            target_pointer_width = "64"
        ))) {
            return None;
        }
        let is_short = |function: &Function| function.instructions() <= MOST_INSTRUCTIONS;
        if !module.functions().all(is_short) {
            return None;
        }
        let mut code = jit_module(module)?;
        let functions = translate::translate(module, &mut code)?;
        code.finalize_definitions().ok()?;
        let functions = functions.into_iter().zip(module.functions());
        let functions = functions.map(|(id, function)| {
            let address = code.get_finalized_function(id);
            (address, function.parameters)
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
        let (address, parameters) = self.functions[function.0 as usize];
        // SAFETY: both arms rely on that a function of this signature lies at the address: `translate::signature` gives each
        // the machine and its parameters, as words, and a word as its result, by the convention of C on this machine,
        // and the number of parameters is kept beside the address. The machine must run the module that this was made
        // of: `Engine` keeps both, and calls this with its own functions only. Nothing else uses the machine while the
        // function runs: it is borrowed until this returns.
        #[expect(unsafe_code, reason = "this is where machine code is run")]
        match parameters {
            0 => unsafe {
                let function: extern "C" fn(*mut Machine<'_>) -> i64 = std::mem::transmute(address);
                function(machine)
            },
            1 => unsafe {
                let function: extern "C" fn(*mut Machine<'_>, i64) -> i64 =
                    std::mem::transmute(address);
                function(machine, argument)
            },
            _ => unreachable!("only functions of the module call one of several parameters"),
        }
    }
}

/// An upper bound of a module's machine code in bytes. Unused parts of it cost addresses, not memory.
fn most_bytes(module: &Module) -> usize {
    // The longest code of one instruction, and the overhead of each function and jump table.
    const INSTRUCTION: usize = 128;
    const WORD: usize = 16;
    const FUNCTION: usize = 512;
    let block = |block: &BlockBody| {
        let insts = block.insts.iter().map(|inst| match inst {
            Inst::CopyWords { words, .. } | Inst::ZeroWords { words, .. } => {
                INSTRUCTION + WORD * *words as usize
            }
            Inst::Call { arguments, .. } | Inst::Runtime { arguments, .. } => {
                INSTRUCTION + WORD * arguments.len()
            }
            _ => INSTRUCTION,
        });
        let end = match &block.end {
            End::Switch(_, targets, _) => WORD * targets.len(),
            _ => 0,
        };
        insts.sum::<usize>() + INSTRUCTION + end
    };
    let functions = module.functions();
    let bytes =
        functions.map(|function| FUNCTION + function.blocks.iter().map(block).sum::<usize>());
    bytes.sum()
}

fn jit_module(module: &Module) -> Option<JITModule> {
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
    // Calls are relative, with a reach of 2 GB, so all functions must be in one piece of memory of at most that size.
    let bytes = Some(most_bytes(module)).filter(|bytes| *bytes < 1 << 31)?;
    let memory = ArenaMemoryProvider::new_with_size(bytes).ok()?;
    let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
    builder.memory_provider(Box::new(memory));
    Some(JITModule::new(builder))
}
