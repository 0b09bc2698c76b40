//! The transform itself, as WGSL text: one inverse complex FFT of `N` points, in registers and workgroup memory.
//!
//! A line of `N` points belongs to `T = N / E` threads; thread `t` holds the points `t + mT`, `m < E`, in named scalars. A
//! Stockham pass of radix `R` at stride `S` takes `R` of them per butterfly, multiplies by powers of one twiddle, transforms
//! in registers, and hands the results on through workgroup memory, already in order: no bit reversal, and with `R = 16` only one or
//! two exchanges where the radix-2 form has ten. WGSL has neither templates nor unrolling, and an indexed array costs the registers
//! (drivers move it to memory), so the straight-line code for each size is written out from here. (Govindaraju et al., *High Performance Discrete
//! Fourier Transforms on Graphics Processors*, SC 2008.)
//!
//! Two things make it cheap:
//! - **Fused twiddles.** A pass is a decimation-in-time recursion of radix-2 butterflies `E ± w·O` whose factor `w` already holds the
//!   pass's twiddle: six fused multiply-adds a butterfly, and no separate twiddle multiplications. A radix-16 pass needs only the
//!   eight factors `w·W₁₆⁰…³`, `w²·W₈⁰…¹`, `w⁴`, `w⁸`: the others are these times `i`, which is a change of operands.
//! - **Linear addresses.** Workgroup memory is swizzled by `p ^ ((p >> s) & mask)`, which is linear over GF(2); the position of a
//!   point is a part that depends on the thread and a disjoint constant part. So the swizzled address of every point is one
//!   exclusive-or of a precomputed base with a constant: no bank conflicts, and no address arithmetic to speak of.

use std::f64::consts::TAU;
use std::fmt::Write;

/// How one line is cut up: radices, points a thread, lines a workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The radices of the passes, in order; their product is the number of points.
    pub radices: &'static [u32],
    /// `E`, the points a thread holds: a multiple of every radix.
    pub per_thread: u32,
    /// Lines that a workgroup transforms side by side; neighbouring threads work on neighbouring lines.
    pub lines: u32,
    /// Exchange real and imaginary parts one after the other: half the workgroup memory, twice the barriers.
    pub split_exchange: bool,
}

impl Lines {
    /// `N`, points a line.
    pub const fn points(&self) -> u32 {
        let mut product = 1;
        let mut i = 0;
        while i < self.radices.len() {
            product *= self.radices[i];
            i += 1;
        }
        product
    }

    /// `T`, threads a line.
    pub const fn threads_per_line(&self) -> u32 {
        self.points() / self.per_thread
    }

    /// Threads a workgroup.
    pub const fn threads(&self) -> u32 {
        self.threads_per_line() * self.lines
    }

    /// Workgroup memory for the exchanges, bytes. A line that one pass can do whole exchanges nothing.
    pub const fn workgroup_bytes(&self) -> u32 {
        self.points() * self.lines * if self.split_exchange { 4 } else { 8 }
    }
}

/// A complex value: the names of its two scalars.
#[derive(Clone, Debug)]
pub struct Complex {
    pub re: String,
    pub im: String,
}

/// A point that a thread holds after the transform: at position `t + offset` of the line.
#[derive(Clone, Debug)]
pub struct Point {
    pub value: Complex,
    pub offset: u32,
}

/// Writes the transform's code. In scope it needs `t` (the thread's place in its line), `lane` (its line in the workgroup), the array
/// `exchange` in workgroup memory, and `twiddles`, an array of the `N` roots `exp(2πi k/N)` as `vec2f`.
pub struct Emitter {
    lines: Lines,
    names: u32,
}

/// The factor of a butterfly. `Turn` is that of a value that is 1 in the first pass.
#[derive(Clone)]
enum Factor {
    One,
    Constant(f64, f64),
    Value(Complex),
}

impl Emitter {
    pub fn new(lines: Lines) -> Self {
        Self { lines, names: 0 }
    }

    /// The declaration of `exchange`.
    pub fn declaration(&self) -> String {
        let count = self.lines.points() * self.lines.lines;
        let scalar = if self.lines.split_exchange { "f32" } else { "vec2f" };
        format!("var<workgroup> exchange: array<{scalar}, {count}>;\n")
    }

    /// What stays the same for every transform of a thread: twiddles and addresses. To be written once, outside any loop.
    pub fn prologue(&self) -> String {
        let mut out = String::new();
        let lines = &self.lines;
        let n = lines.points();
        let mut stride = 1;
        for (pass, &radix) in lines.radices.iter().enumerate() {
            let step = n / (stride * radix);
            let threads = lines.threads_per_line();
            if pass > 0 {
                let place = if stride <= threads { format!("(t & {}u)", stride - 1) } else { "t".to_owned() };
                writeln!(out, "    let w{pass} = twiddles[{place} * {step}u];").ok();
            }
            if pass + 1 < lines.radices.len() {
                let place = if stride <= threads {
                    let low = stride - 1;
                    format!("((t & {low}u) | ((t & {}u) * {radix}u))", !low & (threads - 1))
                } else {
                    "t".to_owned()
                };
                writeln!(out, "    let put{pass} = {};", self.address(&place)).ok();
            }
            stride *= radix;
        }
        writeln!(out, "    let take = {};", self.address("t")).ok();
        out
    }

    /// The whole transform of `input[m]`, the point `t + mT`. Ends without a barrier: whoever transforms again writes one first.
    pub fn transform(&mut self, out: &mut String, input: Vec<Complex>) -> Vec<Point> {
        let lines = self.lines;
        let (e, threads) = (lines.per_thread, lines.threads_per_line());
        assert_eq!(input.len(), e as usize, "a thread holds {e} points");
        let mut held = input;
        let mut stride = 1;
        for (pass, &radix) in lines.radices.iter().enumerate() {
            let last = pass + 1 == lines.radices.len();
            let mut results = Vec::new();
            for b in 0..e / radix {
                let inputs = (0..radix).map(|r| held[(b + r * (e / radix)) as usize].clone()).collect();
                let twiddle = self.twiddle(out, pass, stride, radix, b);
                let outputs = self.butterfly(out, inputs, &twiddle);
                for (r, value) in outputs.into_iter().enumerate() {
                    let r = r as u32;
                    // The part of the position that does not depend on the thread.
                    let offset = if last {
                        b * threads + r * stride
                    } else if stride <= threads {
                        b * threads * radix + r * stride
                    } else {
                        let first = b * threads;
                        (first / stride) * stride * radix + first % stride + r * stride
                    };
                    results.push(Point { value, offset });
                }
            }
            if last {
                results.sort_by_key(|point| point.offset);
                return results;
            }
            held = self.exchange(out, pass, &results);
            stride *= radix;
        }
        unreachable!("a plan has at least one pass")
    }

    fn exchange(&mut self, out: &mut String, pass: usize, results: &[Point]) -> Vec<Complex> {
        let (e, threads) = (self.lines.per_thread, self.lines.threads_per_line());
        let base = format!("put{pass}");
        let put: Vec<String> = results.iter().map(|point| self.swizzled(&base, point.offset)).collect();
        let take: Vec<String> = (0..e).map(|m| self.swizzled("take", m * threads)).collect();
        if self.lines.split_exchange {
            let mut halves = Vec::new();
            for part in ["re", "im"] {
                for (point, address) in results.iter().zip(&put) {
                    let value = if part == "re" { &point.value.re } else { &point.value.im };
                    writeln!(out, "    exchange[{address}] = {value};").ok();
                }
                writeln!(out, "    workgroupBarrier();").ok();
                halves.push(take.iter().map(|address| self.fresh(out, &format!("exchange[{address}]"))).collect::<Vec<_>>());
                writeln!(out, "    workgroupBarrier();").ok();
            }
            let (re, im) = (halves[0].clone(), halves[1].clone());
            re.into_iter().zip(im).map(|(re, im)| Complex { re, im }).collect()
        } else {
            for (point, address) in results.iter().zip(&put) {
                let Complex { re, im } = &point.value;
                writeln!(out, "    exchange[{address}] = vec2f({re}, {im});").ok();
            }
            writeln!(out, "    workgroupBarrier();").ok();
            let held = take
                .iter()
                .map(|address| {
                    let both = self.fresh(out, &format!("exchange[{address}]"));
                    Complex { re: format!("{both}.x"), im: format!("{both}.y") }
                })
                .collect();
            writeln!(out, "    workgroupBarrier();").ok();
            held
        }
    }

    /// The pass's twiddle for butterfly `b`: `exp(2πi (j mod S)/(S R))`, `j = t + bT`.
    fn twiddle(&mut self, out: &mut String, pass: usize, stride: u32, radix: u32, b: u32) -> Factor {
        if pass == 0 {
            return Factor::One;
        }
        let base = Complex { re: format!("w{pass}.x"), im: format!("w{pass}.y") };
        let threads = self.lines.threads_per_line();
        if stride <= threads || (b * threads).is_multiple_of(stride) {
            return Factor::Value(base);
        }
        let angle = TAU * f64::from((b * threads) % stride) / f64::from(stride * radix);
        self.times_constant(out, &base, angle.cos(), angle.sin())
    }

    fn times_constant(&mut self, out: &mut String, value: &Complex, c: f64, s: f64) -> Factor {
        let re = self.fresh(out, &format!("fma({}, {}, {} * {})", value.re, literal(c), value.im, literal(-s)));
        let im = self.fresh(out, &format!("fma({}, {}, {} * {})", value.re, literal(s), value.im, literal(c)));
        Factor::Value(Complex { re, im })
    }

    fn squared(&mut self, out: &mut String, factor: &Factor) -> Factor {
        match factor {
            Factor::Value(Complex { re, im }) => {
                let square_re = self.fresh(out, &format!("fma({re}, {re}, -({im} * {im}))"));
                let square_im = self.fresh(out, &format!("2.0 * {re} * {im}"));
                Factor::Value(Complex { re: square_re, im: square_im })
            }
            Factor::One => Factor::One,
            Factor::Constant(..) => unreachable!("a pass's own twiddle is 1 or a value"),
        }
    }

    /// The inverse transform of `inputs[r]·twiddle^r`, in order.
    fn butterfly(&mut self, out: &mut String, inputs: Vec<Complex>, twiddle: &Factor) -> Vec<Complex> {
        let radix = inputs.len();
        if radix == 1 {
            return inputs;
        }
        let square = if radix > 2 { self.squared(out, twiddle) } else { Factor::One };
        let (even, odd): (Vec<_>, Vec<_>) = inputs.into_iter().enumerate().partition(|(i, _)| i % 2 == 0);
        let strip = |half: Vec<(usize, Complex)>| half.into_iter().map(|(_, value)| value).collect::<Vec<_>>();
        let even = self.butterfly(out, strip(even), &square);
        let odd = self.butterfly(out, strip(odd), &square);

        let half = radix / 2;
        let quarter = radix / 4;
        let mut low = Vec::with_capacity(half);
        let mut high = Vec::with_capacity(half);
        let factors: Vec<Factor> = (0..quarter.max(1)).map(|r| self.rotated(out, twiddle, r, radix)).collect();
        for r in 0..half {
            let (factor, turned) =
                if quarter > 0 && r >= quarter { (&factors[r - quarter], true) } else { (&factors[r], false) };
            let (sum, difference) = self.pair(out, &even[r], &odd[r], factor, turned);
            low.push(sum);
            high.push(difference);
        }
        low.extend(high);
        low
    }

    /// `twiddle · exp(2πi r/radix)`.
    fn rotated(&mut self, out: &mut String, twiddle: &Factor, r: usize, radix: usize) -> Factor {
        if r == 0 {
            return twiddle.clone();
        }
        let angle = TAU * r as f64 / radix as f64;
        match twiddle {
            Factor::One => Factor::Constant(angle.cos(), angle.sin()),
            Factor::Value(value) => {
                let value = value.clone();
                self.times_constant(out, &value, angle.cos(), angle.sin())
            }
            Factor::Constant(..) => unreachable!("a pass's own twiddle is 1 or a value"),
        }
    }

    /// `even ± factor·odd`, or with the factor turned by a quarter, `even ± i·factor·odd`.
    fn pair(&mut self, out: &mut String, even: &Complex, odd: &Complex, factor: &Factor, turned: bool) -> (Complex, Complex) {
        let (c, s) = match factor {
            Factor::One => {
                let (re, im, sign) = if turned { (&odd.im, &odd.re, ("-", "+")) } else { (&odd.re, &odd.im, ("+", "+")) };
                let opposite = |sign: &str| if sign == "+" { "-" } else { "+" };
                let sum = Complex {
                    re: self.fresh(out, &format!("{} {} {re}", even.re, sign.0)),
                    im: self.fresh(out, &format!("{} {} {im}", even.im, sign.1)),
                };
                let difference = Complex {
                    re: self.fresh(out, &format!("{} {} {re}", even.re, opposite(sign.0))),
                    im: self.fresh(out, &format!("{} {} {im}", even.im, opposite(sign.1))),
                };
                return (sum, difference);
            }
            Factor::Constant(c, s) => (literal(*c), literal(*s)),
            Factor::Value(Complex { re, im }) => (re.clone(), im.clone()),
        };
        let (re, im) = if turned {
            (
                format!("fma(-({s}), {}, fma(-({c}), {}, {}))", odd.re, odd.im, even.re),
                format!("fma(-({s}), {}, fma({c}, {}, {}))", odd.im, odd.re, even.im),
            )
        } else {
            (
                format!("fma({c}, {}, fma(-({s}), {}, {}))", odd.re, odd.im, even.re),
                format!("fma({c}, {}, fma({s}, {}, {}))", odd.im, odd.re, even.im),
            )
        };
        let sum = Complex { re: self.fresh(out, &re), im: self.fresh(out, &im) };
        let difference = Complex {
            re: self.fresh(out, &format!("fma(2.0, {}, -{})", even.re, sum.re)),
            im: self.fresh(out, &format!("fma(2.0, {}, -{})", even.im, sum.im)),
        };
        (sum, difference)
    }

    fn fresh(&mut self, out: &mut String, expression: &str) -> String {
        let name = format!("v{}", self.names);
        self.names += 1;
        writeln!(out, "    let {name} = {expression};").ok();
        name
    }

    /// `s` and the mask of the swizzle: 32 banks of four bytes, shared by the lines that lie side by side.
    fn swizzle(&self) -> (u32, u32) {
        let banks = if self.lines.split_exchange { 32 } else { 16 };
        (self.lines.radices[0].ilog2(), (banks / self.lines.lines.min(banks)).saturating_sub(1))
    }

    fn swizzle_of(&self, position: u32) -> u32 {
        let (shift, mask) = self.swizzle();
        position ^ ((position >> shift) & mask)
    }

    /// The address in `exchange` of the position that `place` computes.
    fn address(&self, place: &str) -> String {
        let (shift, mask) = self.swizzle();
        let lanes = self.lines.lines;
        if mask == 0 {
            format!("{place} * {lanes}u + lane")
        } else {
            format!("({place} ^ (({place} >> {shift}u) & {mask}u)) * {lanes}u + lane")
        }
    }

    /// The address of the position `place | offset`, given `base`, the address of `place`.
    fn swizzled(&self, base: &str, offset: u32) -> String {
        let constant = self.swizzle_of(offset) * self.lines.lines;
        if constant == 0 { base.to_owned() } else { format!("{base} ^ {constant}u") }
    }
}

/// A float literal that WGSL reads back to the same f32.
fn literal(value: f64) -> String {
    let text = format!("{:?}", value as f32);
    if text.contains(['.', 'e']) { text } else { format!("{text}.0") }
}
