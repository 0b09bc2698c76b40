//! Oceans that run: many updates at some rate, and one channel of what they leave.

use ocean::gpu::{Engine, Ocean};

use crate::device::{read_layer, wait};

/// Updates by `dt` each, without mips, a few to a submission, as a caller that has fallen behind would.
pub fn run(engine: &Engine, ocean: &mut Ocean, dt: f64, updates: usize) {
    const TOGETHER: usize = 32;
    for first in (0..updates).step_by(TOGETHER) {
        let mut encoder = engine.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for _ in first..updates.min(first + TOGETHER) {
            ocean.update(&mut encoder, dt, None).expect("the device lives");
        }
        engine.queue().submit([encoder.finish()]);
        wait(engine);
    }
}

/// The foam of one cascade as the map of the last update shows it.
pub fn foam(engine: &Engine, ocean: &Ocean, cascade: u32) -> Vec<f64> {
    channel(&read_layer(engine, ocean.surface_map(), cascade, 0), 3)
}

/// One channel of a map's texels.
pub fn channel(texels: &[[f32; 4]], channel: usize) -> Vec<f64> {
    texels.iter().map(|texel| f64::from(texel[channel])).collect()
}

/// Both maps of all cascades, all levels, to the bit.
pub fn bits(engine: &Engine, ocean: &Ocean) -> Vec<u32> {
    bits_of(engine, [ocean.displacement_map(), ocean.surface_map()])
}

/// The same of any two maps.
pub fn bits_of(engine: &Engine, maps: [&wgpu::Texture; 2]) -> Vec<u32> {
    let layers = maps.into_iter().flat_map(|map| (0..map.depth_or_array_layers()).map(move |layer| (map, layer)));
    let levels = layers.flat_map(|(map, layer)| (0..map.mip_level_count()).map(move |level| (map, layer, level)));
    levels.flat_map(|(map, layer, level)| read_layer(engine, map, layer, level)).flatten().map(f32::to_bits).collect()
}
