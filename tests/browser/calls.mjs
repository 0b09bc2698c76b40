// How often a page calls its program: what a closed section must not ask, and a dragged slider not flood.

/** For `openPage`'s `init`: counts the page's calls of the program's function `name` as `window.calls[name]`, which may be set back. */
export function countCalls(name) {
  window.calls = { [name]: 0 };
  const { get } = Object.getOwnPropertyDescriptor(WebAssembly.Instance.prototype, 'exports');
  const counted = new WeakMap();
  Object.defineProperty(WebAssembly.Instance.prototype, 'exports', {
    configurable: true,
    get() {
      const real = get.call(this);
      if (!(name in real)) return real;
      if (!counted.has(real)) {
        counted.set(real, {
          ...real,
          [name](...given) {
            window.calls[name] += 1;
            return real[name](...given);
          },
        });
      }
      return counted.get(real);
    },
  });
}
