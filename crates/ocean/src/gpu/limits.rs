//! What a device must allow, and how cascades are grouped so that no binding passes what it does.

use std::ops::Range;

use super::error::OceanError;
use super::mips;
use super::plan::Plan;

/// `max_storage_buffer_binding_size` of WebGPU's default limits.
pub const DEFAULT_BINDING_BYTES: u64 = 128 << 20;

/// Bytes a texel of h₀ (see `spectrum.wgsl`) and of the foam (unorm16).
pub const AMPLITUDE_BYTES: u64 = 8;
pub const FOAM_BYTES: u64 = 2;

/// # Errors
/// [`OceanError::Limit`] if the device cannot run this plan. Devices requested with `wgpu::Limits::default()` can run all of them.
///
/// wgpu does not check `max_compute_workgroup_storage_size`; browsers do.
pub fn check(plan: &Plan, cascades: u32, limits: &wgpu::Limits) -> Result<(), OceanError> {
    let at_least = |limit, needed: u64, available: u64| {
        if needed <= available { Ok(()) } else { Err(OceanError::Limit { limit, needed, available }) }
    };
    for (invocations, bytes) in plan.workgroups() {
        at_least(
            "max_compute_invocations_per_workgroup",
            invocations.into(),
            limits.max_compute_invocations_per_workgroup.into(),
        )?;
        at_least("max_compute_workgroup_size_x", invocations.into(), limits.max_compute_workgroup_size_x.into())?;
        at_least("max_compute_workgroup_storage_size", bytes.into(), limits.max_compute_workgroup_storage_size.into())?;
    }
    // What every size shares: the mip levels' shader is the largest of it.
    at_least("max_compute_invocations_per_workgroup", 256, limits.max_compute_invocations_per_workgroup.into())?;
    for (limit, available) in [
        ("max_compute_workgroup_size_x", limits.max_compute_workgroup_size_x),
        ("max_compute_workgroup_size_y", limits.max_compute_workgroup_size_y),
    ] {
        at_least(limit, 64, available.into())?;
    }
    at_least(
        "max_compute_workgroup_storage_size",
        mips::WORKGROUP_BYTES.into(),
        limits.max_compute_workgroup_storage_size.into(),
    )?;
    at_least("max_storage_textures_per_shader_stage", 4, limits.max_storage_textures_per_shader_stage.into())?;
    at_least("max_storage_buffers_per_shader_stage", 6, limits.max_storage_buffers_per_shader_stage.into())?;
    at_least("max_texture_dimension_2d", plan.resolution.into(), limits.max_texture_dimension_2d.into())?;
    at_least("max_texture_array_layers", cascades.into(), limits.max_texture_array_layers.into())?;
    let one = largest_binding(plan, 1);
    at_least("max_storage_buffer_binding_size", one, limits.max_storage_buffer_binding_size)?;
    at_least("max_buffer_size", one, limits.max_buffer_size)
}

/// The largest buffer that so many cascades need for one dispatch.
fn largest_binding(plan: &Plan, cascades: u32) -> u64 {
    let texels = u64::from(plan.resolution) * u64::from(plan.resolution) * u64::from(cascades);
    plan.scratch_parts().iter().map(|part| part.bytes(plan, cascades)).fold(texels * AMPLITUDE_BYTES, u64::max)
}

/// The cascades that one pair of dispatches does together. All of them where the bindings allow; the scratch is shared between groups.
pub fn groups(plan: &Plan, cascades: u32, limits: &wgpu::Limits) -> Vec<Range<u32>> {
    let allowed = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    let together = (1..=cascades).rev().find(|&count| largest_binding(plan, count) <= allowed).unwrap_or(1);
    (0..cascades).step_by(together as usize).map(|first| first..(first + together).min(cascades)).collect()
}
