# Debian 12 with Rust and every program that tests start: simulators of SystemVerilog, solvers, emulators, a browser.
#
#     docker build --tag desvio .
#     docker run --rm --interactive --tty desvio cargo xtask test
FROM rust:1.95-bookworm
RUN rustup component add clippy rustfmt
WORKDIR /desvio
COPY . .
# The list of packages is that of `xtask/src/tools.rs`.
RUN cargo xtask setup && rm -rf target /var/lib/apt/lists/*
