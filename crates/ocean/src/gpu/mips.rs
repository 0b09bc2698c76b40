//! The mip levels of the maps: a step of its own, since whoever samples the maps without them need not pay for it.

use std::fmt::Write;

use super::pipelines::{Pipeline, Slot, bind};

const MIPS: &str = include_str!("../../../../shaders/ocean/mips.wgsl");

/// Levels that one dispatch makes: WebGPU's default limit is four storage textures a stage.
pub const LEVELS_TOGETHER: u32 = 4;

/// The shader that makes `levels` levels, 1 to 4.
pub fn source(levels: u32) -> String {
    let mut out = format!("const LEVELS: u32 = {levels}u;\n");
    for level in 1..=levels {
        writeln!(out, "@group(0) @binding({level}) var level_{level}: texture_storage_2d_array<rgba16float, write>;").ok();
    }
    out += "\nfn store(level: u32, texel: vec2u, layer: u32, mean: vec4f) {\n";
    // To the nearest f16: implementations of textureStore truncate.
    out += "    let value = vec4f(unpack2x16float(pack2x16float(mean.xy)), unpack2x16float(pack2x16float(mean.zw)));\n";
    out += "    switch level {\n";
    for level in 1..=levels {
        let case = if level == levels { "default".to_owned() } else { format!("case {level}u") };
        writeln!(out, "        {case}: {{ textureStore(level_{level}, texel, layer, value); }}").ok();
    }
    out + "    }\n}\n\n" + MIPS
}

/// A pipeline for each number of levels.
pub fn pipelines(device: &wgpu::Device) -> [Pipeline; LEVELS_TOGETHER as usize] {
    [1, 2, 3, 4].map(|levels| {
        let mut slots = vec![(0, Slot::Texture)];
        slots.extend((1..=levels).map(|level| (level, Slot::Store)));
        Pipeline::new(device, &format!("ocean mips, {levels} levels"), &source(levels), "mips", &slots)
    })
}

/// One dispatch of the chain.
#[derive(Clone, Debug)]
pub struct MipStep {
    /// An index into [`pipelines`].
    pipeline: usize,
    bindings: wgpu::BindGroup,
    workgroups: [u32; 3],
}

/// The dispatches that fill all levels of `map` below the first, in order.
pub fn steps(device: &wgpu::Device, pipelines: &[Pipeline], map: &wgpu::Texture) -> Vec<MipStep> {
    let view = |level: u32| {
        map.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            base_mip_level: level,
            mip_level_count: Some(1),
            ..Default::default()
        })
    };
    let mut steps = Vec::new();
    let mut source = 0;
    while source + 1 < map.mip_level_count() {
        let levels = (map.mip_level_count() - 1 - source).min(LEVELS_TOGETHER);
        let views: Vec<_> = (source..=source + levels).map(view).collect();
        let resources: Vec<_> =
            (0..).zip(&views).map(|(binding, view)| (binding, wgpu::BindingResource::TextureView(view))).collect();
        let pipeline = levels as usize - 1;
        let across = (map.width() >> (source + 1)).div_ceil(16).max(1);
        steps.push(MipStep {
            pipeline,
            bindings: bind(device, "ocean mips", &pipelines[pipeline], &resources),
            workgroups: [across, across, map.depth_or_array_layers()],
        });
        source += levels;
    }
    steps
}

impl MipStep {
    pub fn encode(&self, pipelines: &[Pipeline], pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&pipelines[self.pipeline].pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        let [x, y, z] = self.workgroups;
        pass.dispatch_workgroups(x, y, z);
    }
}
