// What a dispatch costs before it does anything. One thread touches one word, because a dispatch with no resources has no
// barrier either, and an update's dispatches wait for one another.

@group(0) @binding(0) var<storage, read_write> word: array<u32>;

@compute @workgroup_size(1)
fn touch() {
    word[0] += 1u;
}
