// A small static server for the built site, at a sub-path as a project page has it, and able to fail on purpose: a test gives it a
// function that may change what one request is answered with.

import { createServer } from 'node:http';
import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize, resolve } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
};

/** Where the site lives on the server. */
export const BASE = '/some/repo/';

/**
 * Serves the folder `dist` at `BASE`. `fault(path, body)`, if given, is asked for each file (`path` is relative to the site) and
 * answers with undefined (serve it as it is), a Buffer (serve that), or `{ status }` (fail), `{ type }` (another content type),
 * `{ body, headers }` (serve that, with these headers too), `{ cut: n }` (announce the whole length, then break off after n bytes) or
 * `{ hold: n, until }` (send the rest after n bytes only when the promise `until` is kept).
 */
export async function serve(dist, fault = () => undefined) {
  const root = resolve(dist);
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://site.test');
    const answer = (status, type, body, headers = {}) => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-cache', 'content-length': body.length, ...headers });
      response.end(request.method === 'HEAD' ? undefined : body);
    };
    const missing = async () => answer(404, TYPES['.html'], await readFile(join(root, '404.html')).catch(() => Buffer.from('not found')));
    if (!url.pathname.startsWith(BASE)) return missing();
    let path = normalize(decodeURIComponent(url.pathname.slice(BASE.length)));
    if (path.startsWith('..')) return missing();
    if (path === '.' || path.endsWith('/')) path = join(path, 'index.html');
    const file = join(root, path);
    const found = await stat(file).catch(() => null);
    if (found?.isDirectory()) return answer(301, 'text/plain', Buffer.alloc(0), { location: `${url.pathname}/` });
    if (!found) return missing();
    const body = await readFile(file);
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    const wrong = fault(path, body);
    if (wrong === undefined) return answer(200, type, body);
    if (Buffer.isBuffer(wrong)) return answer(200, type, wrong);
    if (wrong.status) return answer(wrong.status, 'text/plain', Buffer.from(`status ${wrong.status}`));
    if (wrong.type) return answer(200, wrong.type, body);
    if (wrong.body) return answer(200, type, wrong.body, wrong.headers);
    response.writeHead(200, { 'content-type': type, 'content-length': body.length });
    if (wrong.cut) return response.write(body.subarray(0, wrong.cut), () => response.destroy());
    response.write(body.subarray(0, wrong.hold));
    await wrong.until;
    response.end(body.subarray(wrong.hold));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  return {
    port,
    url: (path = '') => `http://localhost:${port}${BASE}${path}`,
    close: () => new Promise((done) => {
      server.closeAllConnections();
      server.close(done);
    }),
  };
}
