// Reading the sea's maps: the displacement for vertices, and slopes, folding and foam for pixels, with what a pixel is too coarse to see turned into variance.
#define_import_path bevy_ocean::maps

#import bevy_ocean::bindings::{water, displacement_a, displacement_b, surface_a, surface_b, map_sampler}

// Map 0's alpha is this times the squared slope; the crate asserts that it is the engine's value.
const SQUARED_SLOPE_SCALE: f32 = 256.0;

// The share of the set of maps A in the picture. Both sets are always read: a branch for each would be several times the code, and compilers write out every texture read.
fn share_of_a() -> f32 {
    return select(1.0 - water.blend, water.blend, water.latest == 0u);
}

fn load_displacement(uv: vec2<f32>, layer: u32, level: f32) -> vec3<f32> {
    let a = share_of_a();
    var displacement = vec3(0.0);
    if a > 0.0 {
        displacement = a * textureSampleLevel(displacement_a, map_sampler, uv, layer, level).xyz;
    }
    if a < 1.0 {
        displacement += (1.0 - a) * textureSampleLevel(displacement_b, map_sampler, uv, layer, level).xyz;
    }
    return displacement;
}

// Where the water that rests at `rest` (relative to the origin) is, relative to it. `spacing` is how far apart the vertices are here: shorter waves than they can
// carry are left to the shading, or they would show as a crawling pattern.
fn displacement_at(rest: vec2<f32>, spacing: f32) -> vec3<f32> {
    var sum = vec3(0.0);
    for (var cascade = 0u; cascade < water.cascade_count; cascade++) {
        let its = water.cascades[cascade];
        if its.displacement_scale != 0.0 {
            let level = log2(max(spacing / its.texel, 1.0));
            sum += its.displacement_scale * load_displacement(rest * its.inverse_tile + its.phase, cascade, level);
        }
    }
    return sum;
}

// How far the water that rests at `rest` has moved in the last update. Zero where there is one set of maps.
fn displacement_change_at(rest: vec2<f32>, spacing: f32) -> vec3<f32> {
    var sum = vec3(0.0);
    for (var cascade = 0u; cascade < water.cascade_count; cascade++) {
        let its = water.cascades[cascade];
        if its.displacement_scale != 0.0 {
            let level = log2(max(spacing / its.texel, 1.0));
            let uv = rest * its.inverse_tile + its.phase;
            let a = textureSampleLevel(displacement_a, map_sampler, uv, cascade, level).xyz;
            let b = textureSampleLevel(displacement_b, map_sampler, uv, cascade, level).xyz;
            sum += its.displacement_scale * select(b - a, a - b, water.latest == 0u);
        }
    }
    return sum;
}

// What the maps say of a pixel.
struct SurfaceSample {
    // The displaced surface's slopes along x and z.
    slope: vec2<f32>,
    // Variance of the slopes, both axes together, that is too fine to be in `slope`.
    variance: f32,
    // Jacobian of the drawn horizontal displacement: below 1 where water is pressed together.
    jacobian: f32,
    // Foam of all cascades, summed.
    foam: f32,
}

struct Texels {
    surface: vec4<f32>,
    squared: f32,
}

fn load_texels(uv: vec2<f32>, layer: u32, dx: vec2<f32>, dy: vec2<f32>) -> Texels {
    let a = share_of_a();
    var surface = vec4(0.0);
    var squared = 0.0;
    if a > 0.0 {
        surface = a * textureSampleGrad(surface_a, map_sampler, uv, layer, dx, dy);
        squared = a * textureSampleGrad(displacement_a, map_sampler, uv, layer, dx, dy).w;
    }
    if a < 1.0 {
        surface += (1.0 - a) * textureSampleGrad(surface_b, map_sampler, uv, layer, dx, dy);
        squared += (1.0 - a) * textureSampleGrad(displacement_b, map_sampler, uv, layer, dx, dy).w;
    }
    return Texels(surface, squared / SQUARED_SLOPE_SCALE);
}

fn load_surface_level(uv: vec2<f32>, layer: u32, level: f32) -> vec4<f32> {
    let a = share_of_a();
    var surface = vec4(0.0);
    if a > 0.0 {
        surface = a * textureSampleLevel(surface_a, map_sampler, uv, layer, level);
    }
    if a < 1.0 {
        surface += (1.0 - a) * textureSampleLevel(surface_b, map_sampler, uv, layer, level);
    }
    return surface;
}

// A cubic B-spline through the texels, as four bilinear samples (Sigg & Hadwiger 2005): a magnified map has no corners.
fn load_surface_bicubic(uv: vec2<f32>, layer: u32) -> vec4<f32> {
    let position = uv * water.resolution - 0.5;
    let corner = floor(position);
    let f = position - corner;
    let g = 1.0 - f;
    let w0 = g * g * g / 6.0;
    let w1 = (4.0 - 3.0 * f * f * (2.0 - f)) / 6.0;
    let w2 = (4.0 - 3.0 * g * g * (2.0 - g)) / 6.0;
    let w3 = f * f * f / 6.0;
    let near = w0 + w1;
    let far = w2 + w3;
    let near_uv = (corner - 0.5 + w1 / near) / water.resolution;
    let far_uv = (corner + 1.5 + w3 / far) / water.resolution;
    var sum = vec4(0.0);
    for (var tap = 0u; tap < 4u; tap++) {
        let right = (tap & 1u) == 1u;
        let low = (tap & 2u) == 2u;
        let weight = select(near.x, far.x, right) * select(near.y, far.y, low);
        sum += weight * load_surface_level(vec2(select(near_uv.x, far_uv.x, right), select(near_uv.y, far_uv.y, low)), layer, 0.0);
    }
    return sum;
}

// All cascades at `rest`, seen by a pixel that spans `dx` and `dy`, m.
fn surface_at(rest: vec2<f32>, dx: vec2<f32>, dy: vec2<f32>) -> SurfaceSample {
    var raw = vec2(0.0);
    var variance = 0.0;
    var fold = 0.0;
    var foam = 0.0;
    for (var cascade = 0u; cascade < water.cascade_count; cascade++) {
        let its = water.cascades[cascade];
        let uv = rest * its.inverse_tile + its.phase;
        let uv_dx = dx * its.inverse_tile;
        let uv_dy = dy * its.inverse_tile;
        let texels = load_texels(uv, cascade, uv_dx, uv_dy);
        var surface = texels.surface;
        // Texels a pixel, along its longer side.
        let span = water.resolution * sqrt(max(dot(uv_dx, uv_dx), dot(uv_dy, uv_dy)));
        let magnified = 1.0 - smoothstep(0.5, 1.0, span);
        if magnified > 0.0 {
            surface = mix(surface, load_surface_bicubic(uv, cascade), magnified);
        }
        let lost = max(texels.squared - dot(texels.surface.xy, texels.surface.xy), 0.0);
        raw += its.normal_scale * surface.xy;
        variance += its.normal_scale * its.normal_scale * lost;
        fold += its.displacement_scale * (surface.z - 1.0);
        foam += surface.w;
    }
    // Where the water is pressed together the same rise happens over less ground. The channels for each axis' own ∂D have run out; waves being much longer
    // along their crests than across, nearly all of J − 1 lies along the slope.
    let jacobian = 1.0 + fold;
    let steepening = 1.0 / max(jacobian, 0.35);
    return SurfaceSample(raw * steepening, variance * steepening * steepening, jacobian, foam);
}

// How the surface, as a lens, bends the light that reaches the bed `depth` metres under `rest`: the map of its slopes' derivatives, ∂s/∂(x, z).
fn curvature_at(rest: vec2<f32>, blur: f32) -> mat2x2<f32> {
    var sum = mat2x2<f32>(vec2(0.0), vec2(0.0));
    for (var cascade = 0u; cascade < water.cascade_count; cascade++) {
        let its = water.cascades[cascade];
        // Light from a sun of half a degree, and waves too small to see from the bed, blur together.
        let step = max(blur, 1.5 * its.texel);
        let level = log2(step / its.texel);
        let uv = rest * its.inverse_tile + its.phase;
        // By x, then by z: the slope ahead less the slope behind.
        var by = mat2x2<f32>(vec2(0.0), vec2(0.0));
        for (var tap = 0u; tap < 4u; tap++) {
            let along = select(vec2(its.inverse_tile.x, 0.0), vec2(0.0, its.inverse_tile.y), tap > 1u);
            let side = select(1.0, -1.0, (tap & 1u) == 1u);
            by[tap >> 1u] += side * load_surface_level(uv + side * step * along, cascade, level).xy;
        }
        let scale = its.normal_scale / (2.0 * step);
        sum += scale * by;
    }
    return sum;
}
