// Where a vertex of the clipmap stands: the sea's mesh follows each camera, to the horizon, and nobody may see it move.
//
// A square of N x N quads lies under the camera, and rings of N x N quads around it, every level twice as coarse as the one
// inside; a skirt of ever larger squares goes on to the horizon. Three rules make that one surface which neither swims, pops
// nor opens:
//
// 1. A vertex stands on its level's lattice, which is the same for all time: all of them are multiples of the quad's edge q,
//    counted from the origin. As the camera moves, a level takes up lattice points in front and drops others behind, in steps
//    of 2q, so that odd points stay odd.
// 2. With distance from the camera odd points slide onto their even neighbours (the morph, from 0 to 1), after which the
//    level's triangles are those of the next coarser level. That is complete before the level ends, and the next one has not
//    begun to: on both sides of every border, and wherever a step of either level moves it, the two are the same triangles, so
//    the border cannot be seen and its moves neither.
// 3. A level leaves out the square that the finer one covers, which by rule 1 stands up to one quad off the middle. So the
//    cells next to the hole's border decide for themselves, as a whole, whether they are under it.
//
// (Losasso & Hoppe 2004 for the levels, Strugar 2009 for the sliding vertices.)
//
// All of it happens here and not in the mesh, so that a mesh is made once, is shared by the levels, and every camera has the
// clipmap to itself. What has to be equal for two vertices to meet is decided in integers, and a position is one product of
// such an integer, which every GPU rounds alike.
#define_import_path bevy_ocean::clipmap

// The tag's fields: `ClipmapTile::tag` in crates/bevy_ocean/src/mesh/clipmap.rs.
const TAG_OFFSET_MASK: u32 = 0xfffu;
const TAG_OFFSET_BIAS: i32 = 2048;
const TAG_OFFSET_Z_SHIFT: u32 = 12u;
const TAG_LEVEL_SHIFT: u32 = 24u;
const TAG_LEVEL_MASK: u32 = 0xfu;
const TAG_SKIRT: u32 = 0x10000000u;

// Where a level starts to morph, as a fraction of its half extent. Its hole ends at 0.5, and up to 0.75 of a quad further when
// it is off the middle.
const MORPH_START: f32 = 0.65;
// How many of its quads before its nominal end a level has morphed. The real end is up to 1.5 of them nearer to the camera.
const MORPH_MARGIN: f32 = 2.0;

struct ClipmapVertex {
    // x and z, m, from the origin.
    rel_xz: vec2<f32>,
    // Distance to the next vertices, m: what the surface can express here. Exactly equal on both sides of a border; 0 out on
    // the skirt, which is flat.
    spacing: f32,
    // Whether a finer level covers this vertex's cell. Its four corners are at one point then, so nothing of it is drawn in any
    // case.
    hidden: bool,
}

// The camera's lattice point, in units of two finest quads. Every level's centre follows from it in integers, so that all
// levels agree about all of them even where a rounding is a close thing.
fn clipmap_snap(camera_rel: vec2<f32>, finest_quad: f32) -> vec2<i32> {
    return vec2<i32>(round(camera_rel / (2.0 * finest_quad)));
}

// The centre of `level` in units of two of its quads: the multiple nearest to the snapped camera.
fn clipmap_centre(snapped: vec2<i32>, level: u32) -> vec2<i32> {
    return (snapped + vec2<i32>((1i << level) >> 1u)) >> vec2<u32>(level);
}

// How far a level of `quads` quads has turned into the next one at `point`, 0 to 1; both places in its quads.
fn clipmap_morph(point: vec2<f32>, camera: vec2<f32>, quads: u32) -> f32 {
    let half_edge = 0.5 * f32(quads);
    let away = abs(point - camera);
    let start = MORPH_START * half_edge;
    return clamp((max(away.x, away.y) - start) / (half_edge - MORPH_MARGIN - start), 0.0, 1.0);
}

// The vertex at `position` of the tile tagged `tag`, for a camera at `camera_rel` (x and z, m, from the origin). `finest_quad`
// (m), `quads` and `rings` are those of `ClipmapDimensions`.
//
// `position` is (x, corner, z): x and z count quads of the tile's level from the tile's offset. A cell that may be under the
// hole has four vertices of its own, with corner 1 + [on its +x side] + 2 [on its +z side]; elsewhere corner is 0. The skirt
// has 0 on the last ring's border and 1 further out.
//
// The origin has to be one of `ClipmapDimensions::origin_for`: multiples of the coarsest lattice, on which every level finds
// its own again.
fn clipmap_vertex(
    position: vec3<f32>,
    tag: u32,
    camera_rel: vec2<f32>,
    finest_quad: f32,
    quads: u32,
    rings: u32,
) -> ClipmapVertex {
    let level = min((tag >> TAG_LEVEL_SHIFT) & TAG_LEVEL_MASK, rings);
    let offset = vec2<i32>(vec2<u32>(tag, tag >> TAG_OFFSET_Z_SHIFT) & vec2<u32>(TAG_OFFSET_MASK)) - TAG_OFFSET_BIAS;
    let snapped = clipmap_snap(camera_rel, finest_quad);
    let lattice = 2 * clipmap_centre(snapped, level) + offset + vec2<i32>(round(position.xz));
    let quad = finest_quad * f32(1u << level);

    if ((tag & TAG_SKIRT) != 0u) {
        // Its inner border is the last ring's outer one, where only even points are left.
        return ClipmapVertex(vec2<f32>(lattice) * quad, select(2.0 * quad, 0.0, position.y > 0.5), false);
    }

    let corner = i32(round(position.y)) - 1;
    if (corner >= 0 && level > 0u) {
        let cell = lattice - vec2<i32>(corner & 1, corner >> 1u);
        // Two quads of the finer level are one of this: its centre, as counted there, is a lattice point here.
        let from_hole = cell - clipmap_centre(snapped, level - 1u) + i32(quads / 4u);
        if (all(from_hole >= vec2<i32>(0)) && all(from_hole < vec2<i32>(i32(quads / 2u)))) {
            return ClipmapVertex((vec2<f32>(cell) + 0.5) * quad, quad, true);
        }
    }

    let point = vec2<f32>(lattice);
    let camera = camera_rel / quad;
    let slid = point - clipmap_morph(point, camera, quads) * vec2<f32>(lattice & vec2<i32>(1));
    // By where the vertex has come to, so that vertices at one point agree.
    return ClipmapVertex(slid * quad, quad * (1.0 + clipmap_morph(slid, camera, quads)), false);
}
