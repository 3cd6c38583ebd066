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

/// The objects of a module of the MIR, which the tests do without.
mod code {
    macro_rules! objects {
        ($($name:ident)*) => {
            $(#[derive(Debug)] pub(crate) struct $name;)*
        };
    }
    objects!(Check Hole Item Shape Slot Source Written);
}
