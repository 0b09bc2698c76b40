//! What the water does with cameras: it follows one for its precision, asks all of them for the depth of what lies under it, and leaves out for each of them the
//! tiles that it cannot see.

use crate::surface::WaterSurface;
use crate::water::{Water, WaterTile};
use bevy::camera::primitives::{Aabb, Frustum};
use bevy::camera::visibility::VisibleEntities;
use bevy::core_pipeline::prepass::{DeferredPrepass, DepthPrepass, MotionVectorPrepass, NormalPrepass};
use bevy::math::{Affine3A, DVec2};
use bevy::prelude::*;
use std::any::TypeId;

/// Put it on a camera that must not have a depth prepass for the water's sake, which cameras get with the first surface and lose with the last. That camera sees water without refraction, absorption, caustics and contact foam.
#[derive(Component, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Component, Default)]
pub struct NoWaterRefraction;

/// Where the camera is that the water keeps its precision around: of the active 3D cameras the one that is drawn last, which is the one on screen.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct MainView {
    position: Vec3,
}

impl MainView {
    pub fn position_xz(&self) -> DVec2 {
        self.position.xz().as_dvec2()
    }
}

pub(crate) fn find_main_view(mut view: ResMut<MainView>, cameras: Query<(&Camera, &GlobalTransform), With<Camera3d>>) {
    let active = cameras.iter().filter(|(camera, _)| camera.is_active);
    if let Some((_, transform)) = active.max_by_key(|(camera, _)| camera.order) {
        let position = transform.translation();
        if position.is_finite() {
            view.position = position;
        }
    }
}

/// A camera that has its depth prepass from the water, and loses it with the last surface.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct DepthForWater;

/// Effects that need the depth come with one of these, and find it there if the water came first.
type OtherPrepass = Or<(With<NormalPrepass>, With<MotionVectorPrepass>, With<DeferredPrepass>)>;

/// The water refracts what the opaque world looks like, at the depth that its prepass has written. Without water nobody has asked for that.
pub(crate) fn ask_for_depth(
    mut commands: Commands,
    without: Query<Entity, (With<Camera3d>, Without<DepthPrepass>, Without<NoWaterRefraction>)>,
    given: Query<(Entity, Has<NoWaterRefraction>), With<DepthForWater>>,
    others: Query<(), OtherPrepass>,
    surfaces: Query<(), With<WaterSurface>>,
) {
    if !surfaces.is_empty() {
        for camera in &without {
            commands.entity(camera).insert((DepthPrepass, DepthForWater));
        }
    }
    for (camera, unwanted) in &given {
        if unwanted || surfaces.is_empty() {
            commands.entity(camera).remove::<DepthForWater>();
            if !others.contains(camera) {
                commands.entity(camera).remove::<DepthPrepass>();
            }
        }
    }
}

/// Takes from each view what that view cannot see.
///
/// Bevy's culling cannot do it: the tiles move with every camera, in its own vertex shader, and are displaced there.
pub(crate) fn cull_tiles(
    mut views: Query<(&mut VisibleEntities, &GlobalTransform, &Frustum), With<Camera>>,
    tiles: Query<&WaterTile>,
    waters: Query<(&Water, &GlobalTransform)>,
) {
    if waters.is_empty() {
        return;
    }
    for (mut visible, view, frustum) in &mut views {
        let camera = view.translation();
        visible.get_mut(TypeId::of::<Mesh3d>()).retain(|entity| {
            let Ok(WaterTile { surface, tile }) = tiles.get(*entity) else { return true };
            let Ok((water, transform)) = waters.get(*surface) else { return false };
            let Some(geometry) = &water.geometry else { return false };
            let bounds = geometry.bounds(tile, camera, transform, water.reach());
            let bounds = Aabb::from_min_max(bounds.min, bounds.max);
            // The far plane of a reverse-z projection is not a limit of what can be drawn.
            frustum.intersects_obb(&bounds, &Affine3A::IDENTITY, true, false)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::headless;

    #[test]
    fn cameras_get_a_depth_prepass_with_the_first_surface_and_lose_it_with_the_last() {
        let mut app = headless::app();
        let world = app.world_mut();
        let plain = world.spawn(Camera3d::default()).id();
        let own = world.spawn((Camera3d::default(), DepthPrepass)).id();
        let without = world.spawn((Camera3d::default(), NoWaterRefraction)).id();
        let other = world.spawn((Camera3d::default(), NormalPrepass)).id();
        let have = |app: &mut App| {
            app.update();
            [plain, own, without, other].map(|camera| app.world().get::<DepthPrepass>(camera).is_some())
        };
        assert_eq!(have(&mut app), [false, true, false, false], "nobody asks without water");
        let surfaces = [0, 1].map(|_| app.world_mut().spawn(WaterSurface::default()).id());
        assert_eq!(have(&mut app), [true, true, false, true]);
        app.world_mut().despawn(surfaces[0]);
        assert_eq!(have(&mut app), [true, true, false, true], "there is water still");
        app.world_mut().entity_mut(surfaces[1]).remove::<WaterSurface>();
        assert_eq!(have(&mut app), [false, true, false, true], "what was there before, and what others use, stays");
        app.world_mut().spawn(WaterSurface::default());
        assert_eq!(have(&mut app), [true, true, false, true]);
        app.world_mut().entity_mut(plain).insert(NoWaterRefraction);
        assert_eq!(have(&mut app), [false, true, false, true]);
    }
}
