#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| desvio_fuzz::run("link", bytes));
