//! The `ports!` macro.

/// Makes a typed struct of pins, with a `bind` that checks all of them at once.
///
/// ```
/// desvio_verilated::ports! {
///     /// Pins of the counter.
///     pub struct CounterPins {
///         input clk: 1,
///         input enable: 1,
///         output count: 8,
///     }
/// }
/// # let _ = CounterPins::PORTS;
/// ```
///
/// Each field is an [`Input`](crate::Input) or an [`Output`](crate::Output). Besides the fields there are
/// `PORTS`, the list of expected ports; `check(&Library)`; and `bind(&Model)`. Both report every mismatch together, as a
/// [`PinsError`](crate::PinsError).
#[macro_export]
macro_rules! ports {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $Pins:ident {
            $($(#[$field_meta:meta])* $direction:ident $field:ident: $bits:expr),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        $visibility struct $Pins {
            $(
                $(#[$field_meta])*
                #[doc = concat!("The ", stringify!($direction), " `", stringify!($field), "`.")]
                $visibility $field: $crate::__pin!(type $direction),
            )*
        }

        impl $Pins {
            /// Direction, name and width of every port, in order of declaration.
            $visibility const PORTS: &'static [($crate::Direction, &'static str, u32)] =
                &[$(($crate::__pin!(direction $direction), stringify!($field), $bits)),*];

            /// Checks the ports of a library without making a model.
            ///
            /// # Errors
            ///
            /// Every port that is missing or differs.
            #[allow(dead_code, reason = "not every user checks before a model is made")]
            $visibility fn check(library: &$crate::Library) -> ::core::result::Result<(), $crate::PinsError> {
                library.check_ports(Self::PORTS)
            }

            /// Takes a handle for every port.
            ///
            /// # Errors
            ///
            /// Every port that is missing or differs.
            #[allow(dead_code, reason = "a struct of pins may be used for its list alone")]
            $visibility fn bind(model: &$crate::Model) -> ::core::result::Result<Self, $crate::PinsError> {
                model.check_ports(Self::PORTS)?;
                let failed = |mismatch| $crate::PinsError {
                    top: ::std::string::String::from(model.top()),
                    mismatches: ::std::vec![mismatch],
                };
                ::core::result::Result::Ok(Self {
                    $($field: $crate::__pin!(take $direction, model, stringify!($field), $bits).map_err(failed)?,)*
                })
            }
        }
    };
}

/// The part of [`ports!`] that depends on the direction.
#[doc(hidden)]
#[macro_export]
macro_rules! __pin {
    (type input) => {
        $crate::Input
    };
    (type output) => {
        $crate::Output
    };
    (direction input) => {
        $crate::Direction::Input
    };
    (direction output) => {
        $crate::Direction::Output
    };
    (take input, $model:ident, $name:expr, $bits:expr) => {
        $model.input($name, $bits)
    };
    (take output, $model:ident, $name:expr, $bits:expr) => {
        $model.output($name, $bits)
    };
}
