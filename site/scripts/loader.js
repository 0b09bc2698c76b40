// Fetches the demo's program and makes a module of it: with progress against the real total, and with every byte hashed and
// compared before any of it runs. The total and the hashes come from `pkg/manifest.json`, which the build writes, so a
// compressing host changes nothing: bytes are counted as they are after decoding. What goes wrong is a `LoadError` whose `kind`
// names the failure page.
//
// The wasm is compiled from the very bytes that were hashed. The script beside it cannot be: a policy without `blob:` runs scripts from
// addresses only, so the browser asks for it once more, mostly its own cache, and is told the hash that the answer must have.

export class LoadError extends Error {
  constructor(kind, message, cause) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** Bytes as people read them: "3.1" of a total in megabytes. */
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

/** "3.1 of 12.4 MB (25 %)". */
export function progressText(received, total) {
  const percent = total > 0 ? Math.floor((100 * received) / total) : 0;
  return `${megabytes(received)} of ${megabytes(total)} MB (${percent} %)`;
}

async function get(url, cache) {
  let response;
  try {
    response = await fetch(url, { cache });
  } catch (error) {
    throw new LoadError('download', `${url.pathname}: ${error.message}`, error);
  }
  if (!response.ok) throw new LoadError('download', `${url.pathname}: HTTP ${response.status} ${response.statusText}`.trim());
  return response;
}

async function readManifest(base, name, cache) {
  const url = new URL('manifest.json', base);
  const text = await (await get(url, cache)).text();
  let manifest;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    throw new LoadError('download', `${url.pathname}: not JSON (${error.message})`, error);
  }
  const files = [`${name}.js`, `${name}_bg.wasm`].map((file) => ({ file, ...manifest.files?.[file] }));
  const missing = files.find(({ bytes, sha256 }) => !(bytes > 0) || !/^[0-9a-f]{64}$/.test(sha256));
  if (manifest.version !== 1 || missing) {
    throw new LoadError('download', `${url.pathname}: version ${manifest.version}, no entry for ${missing?.file ?? 'anything'} that can be read`);
  }
  return files;
}

/** The URL carries the start of the hash, so a cached file is never taken for a newer one. */
const versioned = (base, { file, sha256 }) => new URL(`${file}?v=${sha256.slice(0, 16)}`, base);

/** What browsers run as a module. */
const SCRIPT_TYPE = /^(text|application)\/(x-)?(java|ecma)script\b/i;

async function readExactly(url, expected, cache, onBytes) {
  const response = await get(url, cache);
  const type = response.headers.get('content-type') ?? '';
  if (url.pathname.endsWith('.js') && !SCRIPT_TYPE.test(type)) {
    await response.body?.cancel();
    throw new LoadError('download', `${url.pathname}: its content type is ${type || 'missing'}, and browsers run only text/javascript`);
  }
  const bytes = new Uint8Array(expected);
  let length = 0;
  try {
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (length + value.length > expected) {
        await reader.cancel();
        throw new LoadError('integrity', `${url.pathname}: longer than the ${expected} bytes it should have`);
      }
      bytes.set(value, length);
      length += value.length;
      onBytes(value.length);
    }
  } catch (error) {
    if (error instanceof LoadError) throw error;
    throw new LoadError('download', `${url.pathname}: stopped after ${length} of ${expected} bytes (${error.message})`, error);
  }
  if (length < expected) throw new LoadError('download', `${url.pathname}: ended after ${length} of ${expected} bytes`);
  return bytes;
}

async function verify(url, bytes, sha256) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const actual = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (actual !== sha256) throw new LoadError('integrity', `${url.pathname}: SHA-256 ${actual}, expected ${sha256}`);
}

/** Scripts that the browser refused: what it keeps of a module by its address, it never asks for again. */
let refused = 0;

/** The exports of the module `url`, run only if its bytes have the hash `sha256`. */
async function importExactly(url, sha256) {
  if (refused > 0) url.searchParams.set('again', String(refused));
  const script = document.createElement('script');
  const hash = Uint8Array.from(sha256.match(/../g), (byte) => parseInt(byte, 16));
  Object.assign(script, { type: 'module', integrity: `sha256-${btoa(String.fromCharCode(...hash))}`, src: url.href });
  try {
    await new Promise((loaded, failed) => {
      script.addEventListener('load', loaded);
      script.addEventListener('error', failed);
      document.head.append(script);
    });
  } catch (error) {
    refused += 1;
    // If it does not come at all, that is what is wrong.
    await get(url, 'no-cache');
    throw new LoadError('integrity', `${url.pathname}: as it came to be run, it is not what was checked, SHA-256 ${sha256}`, error);
  } finally {
    script.remove();
  }
  try {
    // The same module: the browser has it by its address.
    return await import(url.href);
  } catch (error) {
    throw new LoadError('start', String(error), error);
  }
}

/**
 * Loads `name` from the folder `base` and returns its exports once the module is instantiated, with nothing started.
 *
 * `onProgress(received, total)` is called as bytes arrive, `lap(part)` when a part is over (see start_times.js). `fresh` goes past the
 * browser's cache. `verified` in the answer is false only where the browser has no `crypto.subtle`, which is on plain http.
 */
export async function load(base, name, { onProgress = () => {}, lap = () => {}, fresh = false } = {}) {
  const files = await readManifest(base, name, fresh ? 'reload' : 'no-cache');
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let received = 0;
  onProgress(0, total);
  const verified = Boolean(globalThis.crypto?.subtle);
  const [, wasm] = await Promise.all(
    files.map(async (entry) => {
      const url = versioned(base, entry);
      const bytes = await readExactly(url, entry.bytes, fresh ? 'reload' : 'default', (count) => {
        received += count;
        onProgress(received, total);
      });
      if (verified) await verify(url, bytes, entry.sha256);
      return bytes;
    }),
  );
  lap('download');

  let module;
  try {
    module = await WebAssembly.compile(wasm);
  } catch (error) {
    throw new LoadError('compile', String(error), error);
  }
  lap('compile');
  const glue = await importExactly(versioned(base, files[0]), files[0].sha256);
  try {
    await glue.default({ module_or_path: module });
  } catch (error) {
    throw new LoadError('start', String(error), error);
  }
  lap('instantiate');
  return { glue, verified, bytes: total };
}
