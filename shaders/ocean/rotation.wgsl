// cos and sin of a phase, 2³² to the turn, to 1e-7. WGSL's own promise only 2⁻¹¹; the phase's top bits are the quadrant, exactly.
fn rotation(phase: u32) -> vec2f {
    let quadrant = (phase + 0x20000000u) >> 30u;
    // [−½, ½) of a quarter turn, 23 bits of it.
    let x = bitcast<f32>(0x3f800000u | (((phase + 0x20000000u) << 2u) >> 9u)) - 1.5;
    let x2 = x * x;
    let s = x * fma(x2, fma(x2, fma(x2, -0.004602163105, 0.07968022286), -0.6459634782), 1.570796322);
    let c = fma(x2, fma(x2, fma(x2, fma(x2, 0.0009036298863, -0.02086007041), 0.2536692038), -1.233700541), 1.0);
    let swapped = (quadrant & 1u) != 0u;
    let cosine = bitcast<u32>(select(c, s, swapped)) ^ (((quadrant + 1u) & 2u) << 30u);
    let sine = bitcast<u32>(select(s, c, swapped)) ^ ((quadrant & 2u) << 30u);
    return vec2f(bitcast<f32>(cosine), bitcast<f32>(sine));
}
