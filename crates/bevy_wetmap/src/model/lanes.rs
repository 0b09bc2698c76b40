//! The same code for wider registers, where the processor has them.
//!
//! Rust compiles for the oldest processor of a target; on x86-64 that is 128-bit registers. [`wide!`] compiles a function a second time
//! with AVX2 switched on and picks at run time. Both are the same integer arithmetic, so which of them ran cannot be seen in a digest.
//! On the web `simd128` is chosen when building, for the whole program, and there is nothing to pick.

/// Which registers the kernels may use.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lanes {
    /// What every processor of the target has.
    Baseline,
    /// 256 bits. Only [`Lanes::here`] makes this.
    #[cfg(target_arch = "x86_64")]
    Avx2(Proof),
}

/// That AVX2 was found on this processor. Its field is private, so it cannot be made up.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proof(());

impl Lanes {
    /// The widest this processor has. Asked once a tick: the answer is cached and costs a load.
    pub fn here() -> Self {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Self::Avx2(Proof(()));
        }
        Self::Baseline
    }
}

/// Defines a function that takes [`Lanes`] first and runs its body compiled for them. Its generic parameters stand in brackets, first as
/// they are declared and then by name.
///
/// Neither form is inlined: a block of texels has to meet the compiler as arrays that do not overlap, which only arguments say.
macro_rules! wide {
    (
        $(#[$doc:meta])*
        fn $name:ident $([$($generic:tt)*] [$($parameter:tt)*])? ($($arg:ident: $Type:ty),* $(,)?) $(-> $Out:ty)? $body:block
    ) => {
        $(#[$doc])*
        #[inline(always)]
        fn $name $(<$($generic)*>)? (lanes: $crate::model::lanes::Lanes, $($arg: $Type),*) $(-> $Out)? {
            #[inline(always)]
            fn body $(<$($generic)*>)? ($($arg: $Type),*) $(-> $Out)? $body

            #[inline(never)]
            fn baseline $(<$($generic)*>)? ($($arg: $Type),*) $(-> $Out)? {
                body $(::<$($parameter)*>)? ($($arg),*)
            }

            #[cfg(target_arch = "x86_64")]
            #[inline(never)]
            #[target_feature(enable = "avx2")]
            fn avx2 $(<$($generic)*>)? ($($arg: $Type),*) $(-> $Out)? {
                body $(::<$($parameter)*>)? ($($arg),*)
            }

            match lanes {
                $crate::model::lanes::Lanes::Baseline => baseline $(::<$($parameter)*>)? ($($arg),*),
                #[cfg(target_arch = "x86_64")]
                #[allow(unsafe_code, reason = "a function compiled for a feature may be called where the feature is, and `Proof` says so")]
                // SAFETY: a `Proof` exists only after AVX2 was detected on this processor, and that is all the function asks for.
                $crate::model::lanes::Lanes::Avx2(_) => unsafe { avx2 $(::<$($parameter)*>)? ($($arg),*) },
            }
        }
    };
}

pub(crate) use wide;
