//! The linker scripts of `defmt` and of the HAL, which knows the memory map.

fn main() {
    for argument in ["-Tdefmt.x", "-Tlinkall.x"] {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}
