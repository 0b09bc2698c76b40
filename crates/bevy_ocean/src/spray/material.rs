//! What draws the spray: the water's bindings, since droplets fade where they meet it, and the droplets.

use crate::render::Oceans;
use crate::uniform::WaterUniform;
use bevy::asset::{Asset, uuid_handle};
use bevy::ecs::system::SystemParamItem;
use bevy::ecs::system::lifetimeless::SResMut;
use bevy::mesh::{Mesh, MeshVertexBufferLayoutRef};
use bevy::pbr::{Material, MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::reflect::TypePath;
use bevy::render::render_resource::binding_types::{sampler, storage_buffer_read_only_sized, texture_2d_array, uniform_buffer};
use bevy::render::render_resource::{
    AsBindGroup, AsBindGroupError, BindGroupLayout, BindGroupLayoutEntries, BindGroupLayoutEntry, BindingResources,
    RenderPipelineDescriptor, SamplerBindingType, ShaderStages, SpecializedMeshPipelineError, TextureSampleType,
    UnpreparedBindGroup,
};
use bevy::render::renderer::RenderDevice;
use bevy::render::sync_world::MainEntity;
use bevy::shader::ShaderRef;

/// Where the shader that draws is.
pub(crate) const DRAW_SHADER: Handle<Shader> = uuid_handle!("b5f7a6d1-2c0e-4d53-9a43-0f5a5f7c3b21");
/// Where the one that simulates is.
pub(crate) const SIMULATION_SHADER: Handle<Shader> = uuid_handle!("b5f7a6d1-2c0e-4d53-9a43-0f5a5f7c3b22");

/// The material of one surface's spray. Made and kept by the plugin.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct SprayMaterial {
    /// The surface whose droplets it draws.
    pub(crate) surface: MainEntity,
}

impl Material for SprayMaterial {
    fn vertex_shader() -> ShaderRef {
        DRAW_SHADER.into()
    }

    fn fragment_shader() -> ShaderRef {
        DRAW_SHADER.into()
    }

    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        _: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        descriptor.vertex.buffers = vec![layout.0.get_layout(&[Mesh::ATTRIBUTE_POSITION.at_shader_location(0)])?];
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}

impl AsBindGroup for SprayMaterial {
    type Data = ();
    type Param = SResMut<Oceans>;

    fn label() -> &'static str {
        "spray"
    }

    fn bind_group_data(&self) -> Self::Data {}

    fn unprepared_bind_group(
        &self,
        _: &BindGroupLayout,
        _: &RenderDevice,
        oceans: &mut SystemParamItem<'_, '_, Self::Param>,
        _: bool,
    ) -> Result<UnpreparedBindGroup, AsBindGroupError> {
        let bindings = oceans.spray_bindings(self.surface).ok_or(AsBindGroupError::RetryNextUpdate)?;
        Ok(UnpreparedBindGroup { bindings: BindingResources(bindings) })
    }

    fn bind_group_layout_entries(_: &RenderDevice, _: bool) -> Vec<BindGroupLayoutEntry> {
        let map = || texture_2d_array(TextureSampleType::Float { filterable: true });
        BindGroupLayoutEntries::sequential(
            ShaderStages::VERTEX_FRAGMENT,
            (
                uniform_buffer::<WaterUniform>(false),
                map(),
                map(),
                map(),
                map(),
                sampler(SamplerBindingType::Filtering),
                storage_buffer_read_only_sized(false, None).visibility(ShaderStages::VERTEX),
            ),
        )
        .to_vec()
    }
}
