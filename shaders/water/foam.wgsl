// Foam's look: a network of bubbles over the water, made of noise, as fine as the eye is near.
#define_import_path bevy_ocean::foam

fn hash(cell: vec2<i32>) -> vec2<f32> {
    var h = vec2<u32>(cell) * vec2(1597334673u, 3812015801u);
    h = (h.x ^ h.y) * vec2(1597334673u, 3812015801u);
    h ^= h >> vec2(15u);
    h *= 2246822519u;
    h ^= h >> vec2(13u);
    return vec2<f32>(h >> vec2(8u)) / 16777216.0;
}

// The pattern repeats after this many metres along both axes, so that a place far away may be counted from a place near by. Every lattice below has a whole number of cells in it.
const PERIOD: f32 = 256.0;
// And what moves in it repeats after so many radians of an angular speed of 1: every speed below is a whole number of turns in that time.
const ROUNDS: f32 = 256.0;

// The same cell for places that are whole periods apart. The half keeps the quotient away from whole numbers, where a rounding would decide.
fn wrapped(cell: vec2<f32>, cells_a_period: f32) -> vec2<i32> {
    return vec2<i32>(cell - cells_a_period * floor((cell + 0.5) / cells_a_period));
}

// 0 at the points of a jittered lattice to about 1 where their cells meet: the walls between bubbles. The points circle at 0.4 to 1.4 times `pace` rad/s.
fn cells(position: vec2<f32>, cells_a_period: f32, turn: f32, pace: f32) -> f32 {
    let base = floor(position);
    var nearest = 8.0;
    var second = 8.0;
    for (var j = -1; j <= 1; j++) {
        for (var i = -1; i <= 1; i++) {
            let cell = base + vec2(f32(i), f32(j));
            let jitter = hash(wrapped(cell, cells_a_period));
            let rounds = floor(ROUNDS * pace * (0.4 + jitter.yx));
            let point = cell + 0.5 + 0.38 * sin(6.2831853 * fract(jitter + turn * rounds)) - position;
            let distance = dot(point, point);
            second = min(second, max(distance, nearest));
            nearest = min(nearest, distance);
        }
    }
    return 1.0 - clamp(1.6 * (sqrt(second) - sqrt(nearest)), 0.0, 1.0);
}

fn value_noise(position: vec2<f32>, cells_a_period: f32) -> f32 {
    let base = floor(position);
    let f = position - base;
    let w = f * f * (3.0 - 2.0 * f);
    let low = mix(hash(wrapped(base, cells_a_period)).x, hash(wrapped(base + vec2(1.0, 0.0), cells_a_period)).x, w.x);
    let high =
        mix(hash(wrapped(base + vec2(0.0, 1.0), cells_a_period)).x, hash(wrapped(base + 1.0, cells_a_period)).x, w.x);
    return mix(low, high, w.y);
}

// Value noise of `cells_a_period` cells in a period, of a place on the water; `shift` cells further, where another is wanted.
fn noise_at(position: vec2<f32>, cells_a_period: f32, shift: f32) -> f32 {
    return value_noise(position * (cells_a_period / PERIOD) + shift, cells_a_period);
}

// How much of a pixel is white: `foam` is what the maps say, 0 to 1 and more. `position` is where the water rests, m, on the water and not in the world, `pixel` how wide the pixel
// is there, and `turn` the share of the pattern's time that has passed.
// Thick foam is whole; thin foam tears into a lace, and what lace a pixel is too coarse to show it shows as its mean.
fn coverage(foam: f32, position: vec2<f32>, pixel: f32, turn: f32) -> f32 {
    // The sum over cascades, which in a storm is 1 each nearly everywhere: only where they agree is it white all over.
    let amount = smoothstep(0.12, 1.9, foam);
    if amount <= 0.003 {
        return 0.0;
    }
    let broad = noise_at(position, 54.0, 0.0) + 0.5 * noise_at(position, 136.0, 17.0);
    var lace = 0.0;
    var weight = 0.0;
    if pixel < 1.2 {
        let warp = vec2(noise_at(position, 230.0, 0.0), noise_at(position, 230.0, 31.0)) - 0.5;
        let near = 1.0 - smoothstep(0.35, 1.2, pixel);
        lace += near * cells((position + 0.9 * warp) * (192.0 / PERIOD), 192.0, turn, 1.0);
        weight += near;
        if pixel < 0.3 {
            let fine = 0.65 * (1.0 - smoothstep(0.08, 0.3, pixel));
            lace += fine * cells((position + 0.4 * warp) * (742.0 / PERIOD), 742.0, turn, 1.7);
            weight += fine;
        }
    }
    let walls = select(0.45, lace / max(weight, 1e-3), weight > 0.0);
    let pattern = clamp(0.62 * walls + 0.38 * broad / 1.5, 0.0, 1.0);
    let torn = smoothstep(1.0 - amount, 1.0 - amount + 0.4, pattern * 0.9 + 0.1);
    let detail = clamp(weight, 0.0, 1.0);
    return mix(amount * (0.3 + 0.6 * amount), amount * torn + 0.2 * amount * amount * (1.0 - torn), detail);
}
