#![no_main]

#[path = "../changes.rs"]
mod changes;
#[path = "../targets.rs"]
#[allow(dead_code, reason = "each fuzzer uses one target")]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::moves(data));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, most: usize, seed: u32| {
    changes::of_fuzzer(data, size, most, seed, libfuzzer_sys::fuzzer_mutate)
});
