// What light does at the water's surface: pure functions of angles, roughness and colour.
#define_import_path bevy_ocean::optics

const PI: f32 = 3.14159265;
// Reflectance of water seen straight on, and its index of refraction.
const WATER_F0: f32 = 0.02;
const WATER_IOR: f32 = 1.333;

// Standard deviation of the slopes that a perceptual roughness stands for. The default of 0.65 comes to 0.08: a mean square slope of 0.013 is
// about what Cox & Munk (1954) leave to waves shorter than a map's texel.
fn slope_deviation(roughness: f32) -> f32 {
    return 0.19 * roughness * roughness;
}

// Reflectance averaged over slopes of deviation `sigma` (Bruneton, Neyret & Holzschuch 2010; GDC 2019): rough water facing away shows the eye its nearer sides.
fn fresnel(n_dot_v: f32, sigma: f32) -> f32 {
    let grazing = pow(max(1.0 - n_dot_v, 0.0), 5.0 * exp(-2.69 * sigma)) / (1.0 + 22.7 * pow(sigma, 1.5));
    return mix(grazing, 1.0, WATER_F0);
}

// GGX, with alpha² = twice the slopes' variance.
fn microfacet_distribution(n_dot_h: f32, alpha: f32) -> f32 {
    let a2 = alpha * alpha;
    let d = 1.0 + (a2 - 1.0) * n_dot_h * n_dot_h;
    return a2 / max(PI * d * d, 1e-7);
}

// Smith's masking and shadowing, correlated, over 4 (n·l) (n·v).
fn microfacet_visibility(n_dot_l: f32, n_dot_v: f32, alpha: f32) -> f32 {
    let a2 = alpha * alpha;
    let by_view = n_dot_l * sqrt(n_dot_v * n_dot_v * (1.0 - a2) + a2);
    let by_light = n_dot_v * sqrt(n_dot_l * n_dot_l * (1.0 - a2) + a2);
    return 0.5 / max(by_view + by_light, 1e-4);
}

// Light that has gone through a crest, or in and out again near the surface, as a share of what falls on it. `height` is above the level, in significant
// heights of this sea, so that the crests of a pond and of a storm both count as crests; the model page's 2.5 m below the level are those of the Ocean preset.
fn subsurface(height: f32, n_dot_l: f32, n_dot_v: f32, through: f32) -> vec3<f32> {
    let lit_from_behind = pow(max(through, 0.0), 4.0) * pow(clamp(0.5 - 0.5 * n_dot_l, 0.0, 1.0), 3.0);
    let tall = max(height + 0.5, 0.0);
    let crest = 4.0 * tall * lit_from_behind;
    let near = 0.5 * n_dot_v * n_dot_v;
    return (crest + near) * vec3(0.9, 1.15, 0.85);
}

// What is left of light after so many metres of water.
fn transmittance(extinction: vec3<f32>, metres: f32) -> vec3<f32> {
    return exp(-extinction * max(metres, 0.0));
}

// How far the water is from the surface of what lies behind it, m. `ahead` leads from the water along the eye's ray to that, `across` and `along` from there to its neighbours on
// screen, which with it make its plane; zeros where they are not known.
//
// A bed is as far as the water is deep, and a wall or a hull as far as it stands off, however deep it goes. Seen edge on, a plane says nothing: there it is the depth.
fn contact_distance(ahead: vec3<f32>, across: vec3<f32>, along: vec3<f32>) -> f32 {
    let way = length(ahead);
    // What lies higher than the water behind it, as seen through a crest, is not under it.
    let depth = select(-ahead.y, way, ahead.y > 0.0);
    let normal = cross(across, along);
    let size = length(normal);
    if size < 1e-20 {
        return depth;
    }
    let off = abs(dot(normal / size, ahead));
    return mix(depth, off, smoothstep(0.03, 0.1, off / max(way, 1e-6)));
}

// How much foam there is where water meets something: all of it at the edge, none a hand's breadth off on a pond and two in a sea. `deviation` is that of the sea's height, m.
fn contact_foam(distance: f32, deviation: f32) -> f32 {
    return 1.0 - smoothstep(0.0, 0.05 + 0.12 * clamp(4.0 * deviation, 0.0, 1.0), distance);
}

// How much brighter than evenly lit the bed is, `depth` metres under a surface whose slopes change as `curvature` says: light that falls on a square metre of the
// surface falls on |det(1 − depth · bend · curvature)| of the bed.
fn caustic(curvature: mat2x2<f32>, depth: f32) -> f32 {
    // A slope s turns the refracted ray by (1 − 1/n) s.
    let bend = depth * (1.0 - 1.0 / WATER_IOR);
    let spread = (1.0 - bend * curvature[0].x) * (1.0 - bend * curvature[1].y) - bend * bend * curvature[1].x * curvature[0].y;
    return clamp(1.0 / max(abs(spread), 0.3), 0.45, 2.8);
}
