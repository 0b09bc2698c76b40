// The page's state for consoles and tests: a frozen object on `window`, described on the notes page. Reading it changes nothing,
// and nothing in it can be set.

/** The engine's values, one getter each. The notes page has a row for every name. */
const ENGINE = [
  'frame', 'tick', 'digest', 'wetted_area_m2', 'wet_texels', 'mass_u', 'mass_v', 'gravity', 'paused', 'fast_forward', 'digest_shown',
  'help_shown', 'hits', 'misses', 'resets', 'size', 'tick_ms', 'frame_ms', 'fps', 'canvas_width', 'canvas_height', 'texture_bytes',
  'uploaded_bytes', 'camera_yaw', 'camera_pitch', 'error',
];

/** Puts `window[name]` there. `currentState()` gives the engine's state or null, `program()` the loaded program. */
export function publish(name, { page, currentState, program }) {
  const getters = {
    version: () => 1,
    ready: () => currentState()?.ready ?? false,
    failure: () => page.failure,
    adapter: () => page.adapter,
    limits: () => page.limits,
    ...Object.fromEntries(ENGINE.map((key) => [key, () => currentState()?.[key] ?? null])),
  };
  const object = {
    state() {
      const state = currentState();
      return state && Object.freeze({ ...state });
    },
    async replayCase(script) {
      const { glue } = await program();
      return JSON.parse(glue.replay_case(JSON.stringify(script)));
    },
  };
  for (const [key, get] of Object.entries(getters)) Object.defineProperty(object, key, { get, enumerable: true });
  Object.defineProperty(window, name, { value: Object.freeze(object), enumerable: true });
}
