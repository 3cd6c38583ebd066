//! Tests of single modules of `src` that nothing public reaches. Each is compiled here on its own: as unit tests they
//! would have the whole library compiled once more.

#[path = "units/arithmetic.rs"]
mod arithmetic;
#[path = "units/mir.rs"]
mod mir;
#[cfg(feature = "cli")]
#[path = "units/output.rs"]
mod output;
#[path = "units/syntax.rs"]
mod syntax;

// What these modules use of others.

#[path = "../src/stack.rs"]
#[allow(dead_code, reason = "only some of it is used here")]
mod stack;

/// The objects of a module, which the tests do without.
mod code {
    macro_rules! objects {
        ($($name:ident)*) => {
            $(#[derive(Debug)] pub(crate) struct $name;)*
        };
    }
    objects!(Check Hole Item Shape Slot Source Written);
}
