//! The macro of the list of options.

/// Makes the struct of all options of their lines, and its visitors.
macro_rules! options {
    ($(
        $(#[$about:meta])*
        $kind:ident $(($range:expr))? $name:ident: $type:ty = $default:expr
        $(, $shown:ident)? $(=> $parameter:tt $(($number:path))?)?;
    )*) => {
        /// What all routers of a network have in common at all of their ports.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Options {
            $(
                $(#[$about])*
                #[doc = ""]
                #[doc = concat!(
                    "Key `router.", stringify!($name), "`",
                    $(", range `", stringify!($range), "`",)?
                    ", default `", stringify!($default), "`."
                )]
                pub $name: $type,
            )*
        }

        impl Options {
            /// What holds for every key that a scenario leaves out.
            pub const DEFAULT: Self = Self { $($name: $default),* };

            /// The keys that a scenario is written with even where they are at their defaults. The others are left out then: a
            /// new option leaves the files as they were before.
            pub const SHOWN: &'static [&'static str] =
                &[$($({ let _ = stringify!($shown); stringify!($name) },)?)*];

            /// Visits what the RTL has for each of them.
            ///
            /// # Errors
            /// The first that the visitor stops at.
            pub fn visit_rtl<V: $crate::options::VisitRtl>(&self, visitor: &mut V) -> Result<(), V::Error> {
                $(options!(@rtl self visitor $name [$($parameter $($number)?)?]);)*
                Ok(())
            }
        }

        impl Default for Options {
            fn default() -> Self {
                Self::DEFAULT
            }
        }

        impl $crate::settings::Settings for Options {
            fn visit<V: $crate::settings::Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
                $(visitor.$kind(stringify!($name), $($range,)? &mut self.$name)?;)*
                Ok(())
            }
        }
    };
    (@rtl $self:ident $visitor:ident $name:ident []) => {
        let is_default = $self.$name == Self::DEFAULT.$name;
        $visitor.absent(concat!("router.", stringify!($name)), is_default)?;
    };
    (@rtl $self:ident $visitor:ident $name:ident [_]) => {};
    (@rtl $self:ident $visitor:ident $name:ident [_ $number:path]) => {
        $visitor.word(concat!("router.", stringify!($name)), $self.$name, $number)?;
    };
    (@rtl $self:ident $visitor:ident $name:ident [$parameter:ident]) => {
        $visitor.parameter(stringify!($parameter), $self.$name.into());
    };
    (@rtl $self:ident $visitor:ident $name:ident [$parameter:ident $number:path]) => {
        let number = $visitor.word(concat!("router.", stringify!($name)), $self.$name, $number)?;
        $visitor.parameter(stringify!($parameter), number);
    };
}
pub(super) use options;
