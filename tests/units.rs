//! Tests of single modules of `src` that nothing public reaches. Each is compiled here on its own: with unit tests in
//! `src`, Cargo would compile the whole library twice.

#[path = "units/arithmetic.rs"]
mod arithmetic;
#[path = "units/mir.rs"]
mod mir;
#[cfg(feature = "cli")]
#[path = "units/output.rs"]
mod output;
#[path = "units/syntax.rs"]
mod syntax;

/// Stand-ins for the objects that the MIR refers to, which these tests do not use.
mod code {
    macro_rules! objects {
        ($($name:ident)*) => {
            $(#[derive(Debug)] pub(crate) struct $name;)*
        };
    }
    objects!(Check Hole Item Shape Slot Source Written);
}
