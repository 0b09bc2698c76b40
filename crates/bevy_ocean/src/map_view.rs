//! One of the maps on screen, over the finished picture: what [`WaterView::map`] asks for.

use crate::diagnostics::{MapView, WaterView};
use crate::render::{ExtractedWaters, Oceans};
use bevy::asset::uuid_handle;
use bevy::core_pipeline::schedule::{Core3d, Core3dSystems};
use bevy::core_pipeline::tonemapping::tonemapping;
use bevy::prelude::*;
use bevy::render::extract_resource::{ExtractResource, ExtractResourcePlugin};
use bevy::render::render_resource::binding_types::{sampler, texture_2d_array, uniform_buffer};
use bevy::render::render_resource::encase::UniformBuffer;
use bevy::render::render_resource::{
    BindGroupEntries, BindGroupLayoutDescriptor, BindGroupLayoutEntries, CachedRenderPipelineId, ColorTargetState, ColorWrites,
    FragmentState, PipelineCache, PrimitiveState, PrimitiveTopology, RenderPassDescriptor, RenderPipelineDescriptor,
    SamplerBindingType, ShaderStages, ShaderType, SpecializedRenderPipeline, SpecializedRenderPipelines, TextureFormat,
    TextureSampleType, VertexState,
};
use bevy::render::renderer::{RenderContext, RenderDevice, ViewQuery};
use bevy::render::view::{ExtractedView, ViewTarget};
use bevy::render::{Render, RenderApp, RenderStartup, RenderSystems};

/// Where the shader is.
pub(crate) const SHADER: Handle<Shader> = uuid_handle!("b5f7a6d1-2c0e-4d53-9a43-0f5a5f7c3b12");

/// Edge of the square, as a share of the picture's height.
const EDGE: f32 = 0.6;

/// `MapViewSettings` of `map_view.wgsl`.
#[derive(ShaderType, Clone, Copy, Debug)]
pub(crate) struct MapViewUniform {
    pub place: Vec4,
    pub map: u32,
    pub layer: u32,
    pub range: f32,
}

impl ExtractResource for WaterView {
    type Source = Self;

    fn extract_resource(source: &Self) -> Self {
        *source
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.add_plugins(ExtractResourcePlugin::<WaterView>::default());
    let Some(render_app) = app.get_sub_app_mut(RenderApp) else { return };
    render_app
        .init_resource::<SpecializedRenderPipelines<MapViewPipeline>>()
        .add_systems(RenderStartup, |mut commands: Commands| commands.insert_resource(MapViewPipeline::new()))
        .add_systems(Render, queue.in_set(RenderSystems::Queue))
        .add_systems(Core3d, draw.after(tonemapping).in_set(Core3dSystems::PostProcess));
}

#[derive(Resource)]
struct MapViewPipeline {
    layout: BindGroupLayoutDescriptor,
}

#[derive(Component)]
struct ViewPipeline(CachedRenderPipelineId);

impl MapViewPipeline {
    fn new() -> Self {
        let map = || texture_2d_array(TextureSampleType::Float { filterable: true });
        let entries = BindGroupLayoutEntries::sequential(
            ShaderStages::VERTEX_FRAGMENT,
            (uniform_buffer::<MapViewUniform>(false), map(), map(), sampler(SamplerBindingType::Filtering)),
        );
        Self { layout: BindGroupLayoutDescriptor::new("water map view", &entries) }
    }
}

impl SpecializedRenderPipeline for MapViewPipeline {
    type Key = TextureFormat;

    fn specialize(&self, format: Self::Key) -> RenderPipelineDescriptor {
        RenderPipelineDescriptor {
            label: Some("water map view".into()),
            layout: vec![self.layout.clone()],
            vertex: VertexState { shader: SHADER, entry_point: Some("vertex".into()), ..default() },
            primitive: PrimitiveState { topology: PrimitiveTopology::TriangleStrip, ..default() },
            fragment: Some(FragmentState {
                shader: SHADER,
                entry_point: Some("fragment".into()),
                targets: vec![Some(ColorTargetState { format, blend: None, write_mask: ColorWrites::ALL })],
                ..default()
            }),
            ..default()
        }
    }
}

fn queue(
    mut commands: Commands,
    views: Query<(Entity, &ExtractedView), With<ViewTarget>>,
    settings: Option<Res<WaterView>>,
    cache: Res<PipelineCache>,
    pipeline: Res<MapViewPipeline>,
    mut pipelines: ResMut<SpecializedRenderPipelines<MapViewPipeline>>,
) {
    if settings.is_none_or(|settings| settings.map == MapView::None) {
        return;
    }
    for (entity, view) in &views {
        let id = pipelines.specialize(&cache, &pipeline, view.target_format);
        commands.entity(entity).insert(ViewPipeline(id));
    }
}

fn draw(
    view: ViewQuery<(&ViewTarget, &ExtractedView, &ViewPipeline)>,
    settings: Res<WaterView>,
    waters: Res<ExtractedWaters>,
    oceans: Res<Oceans>,
    cache: Res<PipelineCache>,
    pipeline: Res<MapViewPipeline>,
    device: Res<RenderDevice>,
    mut context: RenderContext,
) {
    let (target, extracted, id) = view.into_inner();
    let Some(render_pipeline) = cache.get_render_pipeline(id.0).filter(|_| settings.map != MapView::None) else { return };
    let Some(water) = waters.0.first() else { return };
    let Some((displacement, surface)) = oceans.latest_maps(water.surface) else { return };

    let aspect = extracted.viewport.z as f32 / extracted.viewport.w.max(1) as f32;
    let deviation = water.uniform.cascades[(settings.cascade as usize).min(water.uniform.cascades.len() - 1)].deviation;
    let uniform = MapViewUniform {
        place: Vec4::new(0.97 - 2.0 * EDGE / aspect, 0.95 - 2.0 * EDGE, 0.97, 0.95),
        map: settings.map as u32,
        layer: settings.cascade,
        range: if settings.map == MapView::Slopes { 0.5 } else { (2.5 * deviation).max(0.05) },
    };
    let mut bytes = UniformBuffer::new(Vec::new());
    if bytes.write(&uniform).is_err() {
        return;
    }
    let buffer = device.create_buffer_with_data(&wgpu::util::BufferInitDescriptor {
        label: Some("water map view"),
        contents: &bytes.into_inner(),
        usage: wgpu::BufferUsages::UNIFORM,
    });
    let array = |texture: &wgpu::Texture| {
        texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        })
    };
    let bind_group = device.create_bind_group(
        "water map view",
        &cache.get_bind_group_layout(&pipeline.layout),
        &BindGroupEntries::sequential((buffer.as_entire_binding(), &array(displacement), &array(surface), oceans.sampler())),
    );
    let mut pass = context.begin_tracked_render_pass(RenderPassDescriptor {
        label: Some("water map view"),
        color_attachments: &[Some(target.get_unsampled_color_attachment())],
        depth_stencil_attachment: None,
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    });
    pass.set_render_pipeline(render_pipeline);
    pass.set_bind_group(0, &bind_group, &[]);
    pass.draw(0..4, 0..1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use naga::TypeInner;

    #[test]
    fn the_two_sides_agree() {
        let source = include_str!("../../../shaders/water/map_view.wgsl");
        let source: String = source.lines().filter(|line| !line.starts_with('#')).map(|line| line.to_owned() + "\n").collect();
        let module = naga::front::wgsl::parse_str(&source).expect("map_view.wgsl parses");
        let (_, ty) =
            module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some("MapViewSettings")).expect("the struct is used");
        let TypeInner::Struct { members, span } = &ty.inner else { panic!("{ty:?}") };
        let mut buffer = UniformBuffer::new(Vec::new());
        let uniform = MapViewUniform { place: Vec4::new(1.0, 2.0, 3.0, 4.0), map: 5, layer: 6, range: 7.0 };
        buffer.write(&uniform).expect("a struct of numbers can be written");
        let bytes = buffer.into_inner();
        assert_eq!(bytes.len(), *span as usize);
        let word = |name: &str| {
            let member = members.iter().find(|member| member.name.as_deref() == Some(name)).unwrap_or_else(|| panic!("{name}"));
            let at = member.offset as usize;
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        assert_eq!(members.len(), 4);
        let expected = [1.0f32.to_bits(), 5, 6, 7.0f32.to_bits()];
        assert_eq!(["place", "map", "layer", "range"].map(word), expected);
        // The numbers that the shader tells the maps apart by.
        assert_eq!(MapView::ALL.map(|map| map as u32), [0, 1, 2, 3, 4]);
    }
}
