//! The decisions of a network switch.
#![no_std]
