//! The mip levels of the maps: a step of its own, since whoever samples the maps without them need not pay for it.

use std::fmt::Write;

use super::pipelines::{Pipeline, Slot, bind};

const MIPS: &str = include_str!("../../../../shaders/ocean/mips.wgsl");

/// Levels that one dispatch makes, of both maps: WebGPU's default limit is four storage textures a stage.
pub const LEVELS_TOGETHER: u32 = 2;

/// Workgroup memory of the shader, bytes: a tile of each map.
pub const WORKGROUP_BYTES: u32 = 2 * 256 * 16;

/// The binding of a level of a map, after the two sources.
pub const fn level_binding(level: u32, map: u32) -> u32 {
    2 * level + map
}

/// The shader that makes `levels` levels, 1 or 2.
pub fn source(levels: u32) -> String {
    let mut out = format!("const LEVELS: u32 = {levels}u;\n");
    for level in 1..=levels {
        for (map, name) in [(0, "displacement"), (1, "surface")] {
            let binding = level_binding(level, map);
            writeln!(out, "@group(0) @binding({binding}) var {name}_{level}: texture_storage_2d_array<rgba16float, write>;")
                .ok();
        }
    }
    // To the nearest f16: implementations of textureStore truncate.
    out += "\nfn rounded(value: vec4f) -> vec4f {\n";
    out += "    return vec4f(unpack2x16float(pack2x16float(value.xy)), unpack2x16float(pack2x16float(value.zw)));\n}\n";
    out += "\nfn store(level: u32, at: vec2u, layer: u32, texel: Texel) {\n    switch level {\n";
    for level in 1..=levels {
        let case = if level == levels { "default".to_owned() } else { format!("case {level}u") };
        writeln!(out, "        {case}: {{").ok();
        for name in ["displacement", "surface"] {
            writeln!(out, "            textureStore({name}_{level}, at, layer, rounded(texel.{name}));").ok();
        }
        out += "        }\n";
    }
    out + "    }\n}\n\n" + MIPS
}

/// A pipeline for each number of levels.
pub fn pipelines(device: &wgpu::Device) -> [Pipeline; LEVELS_TOGETHER as usize] {
    [1, 2].map(|levels| {
        let mut slots = vec![(0, Slot::Texture), (1, Slot::Texture)];
        slots.extend((2..level_binding(levels + 1, 0)).map(|binding| (binding, Slot::Store)));
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

/// The dispatches that fill all levels of both maps below the first, in order.
pub fn steps(device: &wgpu::Device, pipelines: &[Pipeline], maps: [&wgpu::Texture; 2]) -> Vec<MipStep> {
    let view = |map: &wgpu::Texture, level: u32| {
        map.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            base_mip_level: level,
            mip_level_count: Some(1),
            ..Default::default()
        })
    };
    let [first, _] = maps;
    let mut steps = Vec::new();
    let mut source = 0;
    while source + 1 < first.mip_level_count() {
        let levels = (first.mip_level_count() - 1 - source).min(LEVELS_TOGETHER);
        let views: Vec<_> = (source..=source + levels).flat_map(|level| maps.map(|map| view(map, level))).collect();
        let resources: Vec<_> =
            (0..).zip(&views).map(|(binding, view)| (binding, wgpu::BindingResource::TextureView(view))).collect();
        let pipeline = levels as usize - 1;
        let across = (first.width() >> (source + 1)).div_ceil(16).max(1);
        steps.push(MipStep {
            pipeline,
            bindings: bind(device, "ocean mips", &pipelines[pipeline], &resources),
            workgroups: [across, across, first.depth_or_array_layers()],
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
