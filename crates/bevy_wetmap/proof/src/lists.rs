//! The scripts: the published cases, a grid over the corners of the model, generated ones, what those leave out, and few ticks over the
//! borders of blocks.
//!
//! Everything here is integers, and floats that are quotients of small integers, so that every machine makes the same scripts.

use bevy_wetmap::script::{
    Event, Float, IndexFormat, Script, ScriptMesh, ScriptRay, ScriptSettings, ScriptShape, ScriptTransform,
};

/// Every case of the published file.
///
/// # Panics
/// If the file that was compiled in is not well-formed.
pub fn published() -> Vec<Script> {
    match serde_json::from_str(include_str!("../../../../tests/cases/wetmap-digests.json")) {
        Ok(cases) => cases,
        Err(error) => panic!("the case file is not well-formed: {error}"),
    }
}

/// SplitMix64 (Steele, Lea & Flood, 2014): one state, no float, the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u32) -> u32 {
        (self.next() >> 32) as u32 % end
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    /// A multiple of 1/4096 in `low..high`.
    fn between(&mut self, low: i32, high: i32) -> Float {
        let steps = self.below((high - low) as u32 * 4096);
        Float(low as f32 + steps as f32 / 4096.0)
    }
}

const NONSENSE: [f32; 8] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.0, -0.0, 1e-30, f32::MAX];

fn dial(random: &mut Random) -> Option<Float> {
    match random.below(8) {
        0..3 => None,
        3 => Some(Float(random.pick(&NONSENSE))),
        _ => Some(random.between(0, 1)),
    }
}

fn component(random: &mut Random) -> Float {
    if random.below(12) == 0 { Float(random.pick(&NONSENSE)) } else { random.between(-1, 1) }
}

fn shape(random: &mut Random) -> ScriptShape {
    let major = if random.below(20) == 0 { Float(random.pick(&NONSENSE)) } else { Float(random.between(0, 1).0 * 0.4) };
    ScriptShape {
        major,
        minor: Float(major.0 * random.between(0, 1).0),
        spines: random.below(30) as u8,
        satellites: random.below(10) as u8,
        direction: [component(random), component(random)],
        seed: random.below(u32::MAX),
    }
}

/// A patch of hills with a fold, for rays: some hit, some miss, some graze.
fn mesh(random: &mut Random) -> ScriptMesh {
    let (mut positions, mut uvs, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for (y, x) in (0..6u32).flat_map(|y| (0..6u32).map(move |x| (y, x))) {
        let height = Float(random.between(-1, 1).0 / 4.0);
        positions.push([Float(x as f32 / 5.0), Float(y as f32 / 5.0), height]);
        uvs.push([Float(x as f32 / 5.0), Float(y as f32 / 5.0)]);
        if x < 5 && y < 5 {
            let a = y * 6 + x;
            indices.extend([a, a + 1, a + 6, a + 6, a + 1, a + 7]);
        }
    }
    ScriptMesh { positions, uvs: Some(uvs), indices: Some(indices), index_format: None }
}

fn script(id: String, size: u32, ticks: u32, gravity: [Float; 2], settings: ScriptSettings, events: Vec<Event>) -> Script {
    Script {
        id,
        size,
        ticks,
        gravity,
        settings,
        events,
        ends_painted: false,
        mesh: None,
        transform: None,
        expect: Vec::new(),
        expect_hits: Vec::new(),
    }
}

/// Every size near a block's edge, every gravity, and dials at their limits, with the same three stains.
pub fn corners() -> Vec<Script> {
    let plain = ScriptSettings::default();
    let dials = [
        plain,
        ScriptSettings { spread_rate: Some(Float(1.0)), drip_rate: Some(Float(0.0)), ..plain },
        ScriptSettings { spread_rate: Some(Float(0.0)), absorbency: Some(Float(1.0)), dry_ticks: Some(7), ..plain },
        ScriptSettings { dry_ticks: Some(0), humidity: Some(Float(f32::NAN)), ..plain },
        ScriptSettings { dry_ticks: Some(u32::MAX), absorbency: Some(Float(1.0)), drip_rate: Some(Float(1.0)), ..plain },
        ScriptSettings { spread_rate: Some(Float(0.731)), dry_ticks: Some(12), humidity: Some(Float(1.0)), ..plain },
    ];
    let gravities = [[0.0, 1.0], [0.0, -1.0], [1.0, 0.0], [-1.0, 0.5], [0.0, 0.0], [f32::NAN, 1.0]];
    let mut scripts = Vec::new();
    for size in [1, 2, 3, 7, 8, 9, 16, 31, 65] {
        for gravity in gravities {
            for settings in dials {
                let stain = |tick, uv: [f32; 2], major, seed| {
                    let (major, minor) = (Float(major), Float(major * 0.75));
                    let direction = [Float(0.5), Float(1.0)];
                    let shape = ScriptShape { major, minor, spines: 9, satellites: 3, direction, seed };
                    Event::Uv { tick, uv: uv.map(Float), shape }
                };
                let events = vec![stain(0, [0.5, 0.25], 0.5, 1), stain(0, [0.0, 1.0], 0.25, 2), stain(9, [1.0, 0.5], 0.25, 3)];
                let id = format!("corner {}", scripts.len());
                scripts.push(script(id, size, 16, gravity.map(Float), settings, events));
            }
        }
    }
    scripts
}

/// So many scripts of everything at once.
pub fn generated(count: u32) -> Vec<Script> {
    (0..count).map(generate).collect()
}

fn generate(number: u32) -> Script {
    let mut random = Random(u64::from(number));
    let size = if random.below(4) == 0 { random.pick(&[1, 2, 3, 5, 8, 16, 17]) } else { 8 + random.below(72) };
    let ticks = 4 + random.below(36);
    let settings = ScriptSettings {
        drip_rate: dial(&mut random),
        spread_rate: dial(&mut random),
        dry_ticks: (random.below(3) > 0).then(|| random.pick(&[0, 1, 2, 5, 20, 30, 300, 5000, 40_000, 65_535, u32::MAX])),
        absorbency: dial(&mut random),
        humidity: dial(&mut random),
        edge_samples: None,
    };
    let gravity = [component(&mut random), component(&mut random)];
    let mesh = (random.below(3) == 0).then(|| mesh(&mut random));
    let mut events = Vec::new();
    for tick in 0..ticks {
        while random.below(5) == 0 {
            events.push(match random.below(8) {
                0 => Event::Gravity { tick, gravity: [component(&mut random), component(&mut random)] },
                1..4 if mesh.is_some() => {
                    let from = [random.between(0, 1), random.between(0, 1), Float(2.0)];
                    let direction = [component(&mut random), component(&mut random), Float(-2.0)];
                    Event::Ray { tick, ray: ScriptRay { from, direction }, shape: shape(&mut random) }
                }
                _ => Event::Uv { tick, uv: [random.between(0, 1), random.between(0, 1)], shape: shape(&mut random) },
            });
        }
    }
    Script { mesh, ..script(format!("generated {number}"), size, ticks, gravity, settings, events) }
}

/// What the lists above leave out: smooth edges, dials that change on the way, scripts that end painted, canvases of more than 64 blocks
/// a row and others above 79 texels, meshes that are turned, and whose indices are narrow or absent.
pub fn features() -> Vec<Script> {
    (0..48).map(feature).collect()
}

/// Two humidities in all: each costs a table of colours, and one more under a film, which takes an interpreter minutes.
fn settings(random: &mut Random, samples: &[u32]) -> ScriptSettings {
    ScriptSettings {
        drip_rate: dial(random),
        spread_rate: dial(random),
        dry_ticks: (random.below(3) > 0).then(|| random.pick(&[1, 3, 8, 20, 300, 5000])),
        absorbency: dial(random),
        humidity: (random.below(4) == 0).then_some(Float(0.75)),
        edge_samples: (random.below(4) > 0).then(|| random.pick(samples)),
    }
}

/// The features that an interpreter plays have no more texels along an edge than this.
pub const SMALL: u32 = 7;

fn feature(number: u32) -> Script {
    // Apart from the seeds of the generated ones.
    let mut random = Random(1 << 32 | u64::from(number));
    let (size, ticks, largest, samples): (_, _, _, &[u32]) = match number {
        // A word of the sets of blocks has 64 of them: 512 texels.
        0 => (520, 5, 0.03, &[2]),
        1 => (777, 4, 0.02, &[2]),
        // Small enough for an interpreter.
        _ if number.is_multiple_of(3) => (2 + random.below(SMALL - 1), 2 + random.below(4), 0.9, &[0, 1, 2, 5, 8, u32::MAX]),
        _ => (80 + random.below(70), 4 + random.below(14), 0.12, &[1, 2, 3, 4]),
    };
    let shape = |random: &mut Random| {
        let major = random.between(0, 1).0 * largest;
        ScriptShape { major: Float(major), minor: Float(major * random.between(0, 1).0), ..shape(random) }
    };
    let first = settings(&mut random, samples);
    let mesh = (random.below(2) == 0).then(|| {
        let mesh = mesh(&mut random);
        match random.below(3) {
            0 => ScriptMesh { index_format: Some(IndexFormat::U32), ..mesh },
            1 => ScriptMesh { index_format: Some(IndexFormat::U16), ..mesh },
            _ => unindexed(mesh),
        }
    });
    let transform = mesh.is_some().then(|| ScriptTransform {
        translation: [0, 1, 2].map(|_| Float(random.between(-1, 1).0 / 8.0)),
        euler_xyz: [0, 1, 2].map(|_| Float(random.between(-1, 1).0 / 4.0)),
        scale: [0, 1, 2].map(|_| Float(0.75 + random.between(0, 1).0 / 2.0)),
    });
    let mut events = Vec::new();
    if size > 512 {
        // Over the border of the first word and beside it, and at the end of the row.
        events.extend([508, 511, 512, 515, size - 1].map(|x| {
            let uv = [Float(x as f32 / size as f32), random.between(0, 1)];
            Event::Uv { tick: 0, uv, shape: ScriptShape { major: Float(0.02), minor: Float(0.015), ..shape(&mut random) } }
        }));
    }
    for tick in 0..ticks {
        while random.below(3) == 0 {
            events.push(match random.below(8) {
                0 => Event::Gravity { tick, gravity: [component(&mut random), component(&mut random)] },
                1 | 2 => Event::Settings { tick, settings: settings(&mut random, samples) },
                3..6 if mesh.is_some() => {
                    let from = [random.between(0, 1), random.between(0, 1), Float(2.0)];
                    let direction = [random.between(-1, 1), random.between(-1, 1), Float(-8.0)];
                    Event::Ray { tick, ray: ScriptRay { from, direction }, shape: shape(&mut random) }
                }
                _ => Event::Uv { tick, uv: [random.between(0, 1), random.between(0, 1)], shape: shape(&mut random) },
            });
        }
    }
    let ends_painted = random.below(3) == 0;
    if ends_painted {
        events.push(Event::Uv { tick: ticks, uv: [random.between(0, 1), random.between(0, 1)], shape: shape(&mut random) });
    }
    let gravity = [component(&mut random), component(&mut random)];
    Script { mesh, transform, ends_painted, ..script(format!("feature {number}"), size, ticks, gravity, first, events) }
}

/// The same triangles, every three vertices one.
fn unindexed(mesh: ScriptMesh) -> ScriptMesh {
    fn each<T: Copy>(of: &[T], indices: &[u32]) -> Vec<T> {
        indices.iter().map(|&i| of[i as usize]).collect()
    }
    let indices = mesh.indices.unwrap_or_default();
    let uvs = mesh.uvs.map(|uvs| each(&uvs, &indices));
    ScriptMesh { positions: each(&mesh.positions, &indices), uvs, indices: None, index_format: None }
}

/// Few ticks over the borders of blocks and the ends of rows: for interpreters, which the other lists take too long.
pub fn borders() -> Vec<Script> {
    let plain = ScriptSettings::default();
    let fast = ScriptSettings {
        spread_rate: Some(Float(1.0)),
        drip_rate: Some(Float(0.25)),
        absorbency: Some(Float(0.25)),
        dry_ticks: Some(2),
        ..plain
    };
    let every = [[0.0, 1.0], [0.0, -1.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 0.0]];
    let mut scripts = Vec::new();
    for (size, ticks, gravities, dials) in
        [(9, 3, &every[..], &[plain, fast][..]), (17, 3, &every, &[plain, fast]), (65, 2, &every[..3], &[plain])]
    {
        for (&gravity, &settings) in gravities.iter().flat_map(|gravity| dials.iter().map(move |dials| (gravity, dials))) {
            let stain = |tick, texel: [u32; 2], seed| {
                let share = |texels: f32| Float(texels / size as f32);
                let direction = [Float(0.5), Float(1.0)];
                let shape = ScriptShape { major: share(5.0), minor: share(4.0), spines: 2, satellites: 1, direction, seed };
                Event::Uv { tick, uv: texel.map(|at| share(at as f32 + 0.5)), shape }
            };
            let last = size - 1;
            let events = vec![stain(0, [8, 1], 1), stain(0, [last, last / 8 * 8], 2), stain(1, [7, last], 3)];
            scripts.push(script(format!("border {}", scripts.len()), size, ticks, gravity.map(Float), settings, events));
        }
    }
    scripts
}
