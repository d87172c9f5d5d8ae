//! A small switch: a router behind links, with counters and a self-test.
#![no_std]

pub mod standard;
