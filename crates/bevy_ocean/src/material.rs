//! The water's material: an own one, because a standard material with the atmosphere and an environment map has no room left for the sea's maps within the
//! sixteen textures a stage that WebGPU guarantees.
//!
//! It is drawn in the transmissive phase: after the opaque world, with that world's picture to refract, and writing depth. Bevy keeps what is in that phase out of the
//! prepass, so the prepass's depth is the depth of what lies *under* the water.
//!
//! The bind group names both sets of maps; which of them is the last update's is in the uniform, so it is made anew only when the maps are.

use crate::render::Oceans;
use bevy::asset::{Asset, uuid_handle};
use bevy::ecs::system::SystemParamItem;
use bevy::ecs::system::lifetimeless::SResMut;
use bevy::mesh::{Mesh, MeshVertexBufferLayoutRef};
use bevy::pbr::{Material, MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::reflect::TypePath;
use bevy::render::render_resource::binding_types::{sampler, texture_2d_array, uniform_buffer};
use bevy::render::render_resource::{
    AsBindGroup, AsBindGroupError, BindGroupLayout, BindGroupLayoutEntries, BindGroupLayoutEntry, BindingResources,
    RenderPipelineDescriptor, SamplerBindingType, ShaderStages, SpecializedMeshPipelineError, TextureSampleType,
    UnpreparedBindGroup,
};
use bevy::render::renderer::RenderDevice;
use bevy::render::sync_world::MainEntity;
use bevy::shader::ShaderRef;

use crate::uniform::WaterUniform;

/// Where the vertex shader is.
pub(crate) const VERTEX_SHADER: Handle<Shader> = uuid_handle!("b5f7a6d1-2c0e-4d53-9a43-0f5a5f7c3b10");
/// Where the fragment shader is.
pub(crate) const FRAGMENT_SHADER: Handle<Shader> = uuid_handle!("b5f7a6d1-2c0e-4d53-9a43-0f5a5f7c3b11");

/// The material of one surface. Made and kept by the plugin.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct WaterMaterial {
    /// The surface whose maps it draws.
    pub(crate) surface: MainEntity,
}

impl Material for WaterMaterial {
    fn vertex_shader() -> ShaderRef {
        VERTEX_SHADER.into()
    }

    fn fragment_shader() -> ShaderRef {
        FRAGMENT_SHADER.into()
    }

    fn reads_view_transmission_texture(&self) -> bool {
        true
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
        // A steep crest seen from behind shows its other side.
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}

impl AsBindGroup for WaterMaterial {
    type Data = ();
    type Param = SResMut<Oceans>;

    fn label() -> &'static str {
        "water"
    }

    fn bind_group_data(&self) -> Self::Data {}

    fn unprepared_bind_group(
        &self,
        _: &BindGroupLayout,
        _: &RenderDevice,
        oceans: &mut SystemParamItem<'_, '_, Self::Param>,
        _: bool,
    ) -> Result<UnpreparedBindGroup, AsBindGroupError> {
        let bindings = oceans.bindings(self.surface).ok_or(AsBindGroupError::RetryNextUpdate)?;
        Ok(UnpreparedBindGroup { bindings: BindingResources(bindings) })
    }

    fn bind_group_layout_entries(_: &RenderDevice, _: bool) -> Vec<BindGroupLayoutEntry> {
        let map = || texture_2d_array(TextureSampleType::Float { filterable: true });
        BindGroupLayoutEntries::sequential(
            ShaderStages::VERTEX_FRAGMENT,
            (uniform_buffer::<WaterUniform>(false), map(), map(), map(), map(), sampler(SamplerBindingType::Filtering)),
        )
        .to_vec()
    }
}
