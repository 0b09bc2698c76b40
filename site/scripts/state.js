// The page's state for consoles and tests: a frozen object on `window`, described on the notes page. Reading it changes nothing,
// and nothing in it can be set.

/**
 * Puts `window[name]` there. `currentState()` gives the engine's state or null; `values` names what of it gets a getter of its own;
 * `functions` are the demo's further ones.
 */
export function publish(name, { page, currentState, values, functions = {} }) {
  const getters = {
    version: () => 1,
    ready: () => currentState()?.ready ?? false,
    failure: () => page.failure,
    adapter: () => page.adapter,
    limits: () => page.limits,
    timings: page.timings,
    ...Object.fromEntries(values.map((key) => [key, () => currentState()?.[key] ?? null])),
  };
  const object = {
    state() {
      const state = currentState();
      return state && Object.freeze({ ...state });
    },
    ...functions,
  };
  for (const [key, get] of Object.entries(getters)) Object.defineProperty(object, key, { get, enumerable: true });
  Object.defineProperty(window, name, { value: Object.freeze(object), enumerable: true });
}
