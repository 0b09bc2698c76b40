// The engine's own WGSL, layouts, buffers and dispatches, through WebGPU as a browser has it. All of them are read from a program
// that the crate has written; there is no decision about the ocean in this file.

/** WebGPU's default limits are asked for by asking for none. Timestamps are the one feature, and only for whoever measures. */
export async function openDevice({ timestamps = false } = {}) {
  const adapter = await navigator.gpu?.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) throw new Error('no WebGPU adapter');
  const device = await adapter.requestDevice({ requiredFeatures: timestamps ? ['timestamp-query'] : [] });
  const limits = {};
  for (const name in device.limits) limits[name] = device.limits[name];
  const { vendor, architecture, device: model, description } = adapter.info;
  return { device, limits, adapter: { vendor, architecture, device: model, description } };
}

const SCOPES = ['validation', 'out-of-memory', 'internal'];

/**
 * What `action` gives, or an error that says what WebGPU had against it: by itself it would only mention it to the console. Watched is
 * what `action` calls before it first waits, so that several can be under way at once.
 */
export async function valid(device, what, action) {
  SCOPES.forEach((scope) => device.pushErrorScope(scope));
  const result = new Promise((resolve) => resolve(action()));
  const scopes = SCOPES.map(() => device.popErrorScope());
  const [settled, ...errors] = await Promise.allSettled([result, ...scopes]);
  const found = [settled.reason, ...errors.map(({ value, reason }) => value ?? reason)].filter(Boolean);
  if (found.length > 0) throw new Error(`${what}: ${found.map(({ message }) => message).join('\n')}`);
  return settled.value;
}

const UNIFORM_KINDS = ['uniform', 'dynamic-uniform'];

function layoutEntry({ kind, size }, binding) {
  const entry = { binding, visibility: GPUShaderStage.COMPUTE };
  if (UNIFORM_KINDS.includes(kind)) {
    entry.buffer = { type: 'uniform', hasDynamicOffset: kind === 'dynamic-uniform', minBindingSize: size };
  } else if (kind === 'read') {
    entry.buffer = { type: 'read-only-storage' };
  } else if (kind === 'read-write') {
    entry.buffer = { type: 'storage' };
  } else if (kind === 'texture') {
    entry.texture = { sampleType: 'unfilterable-float', viewDimension: '2d-array' };
  } else {
    entry.storageTexture = { access: 'write-only', format: 'rgba16float', viewDimension: '2d-array' };
  }
  return entry;
}

const texts = ({ messages }) => messages.map(({ type, lineNum, linePos, message }) => `${type} at ${lineNum}:${linePos}: ${message}`);

/** What the compiler says of a shader by itself: a thousandth of the time that a pipeline takes in software. */
export async function parsed(device, { name, source }) {
  const module = device.createShaderModule({ label: name, code: source });
  return { messages: texts(await module.getCompilationInfo()) };
}

/** A shader's pipeline with the layout that the crate states for it, and all that the compiler said. */
export async function compiled(device, { name, source, entry, slots }) {
  const messages = [];
  try {
    return await valid(device, name, async () => {
      const module = device.createShaderModule({ label: name, code: source });
      const layout = device.createBindGroupLayout({ label: name, entries: slots.map(layoutEntry) });
      const made = device.createComputePipelineAsync({
        label: name,
        layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
        compute: { module, entryPoint: entry },
      });
      const [pipeline, information] = await Promise.all([made, module.getCompilationInfo()]);
      messages.push(...texts(information));
      return { pipeline, layout, messages };
    });
  } catch (error) {
    return { messages, error: error.message };
  }
}

/** The bytes of base64. */
export const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** One program on one device. */
export class Engine {
  static async create(device, program) {
    const engine = new Engine();
    Object.assign(engine, { device, program, stages: new Map() });
    const shaders = await Promise.all(program.shaders.map(async (shader) => {
      const made = await compiled(device, shader);
      if (made.error) throw new Error(made.error);
      return { ...made, slots: shader.slots };
    }));
    await valid(device, 'the resources', () => {
      engine.buffers = program.buffers.map((buffer) => createBuffer(device, buffer));
      engine.maps = ['ocean displacement', 'ocean surface'].map((label) => createMap(device, label, program));
      for (const { name, dispatches } of program.stages) {
        engine.stages.set(name, dispatches.map((dispatch) => engine.#prepared(shaders[dispatch.shader], dispatch)));
      }
    });
    return engine;
  }

  #prepared({ pipeline, layout, slots }, { resources, workgroups }) {
    const entries = resources.map(({ buffer, map, level }, binding) => {
      const { kind, size } = slots[binding];
      if (buffer !== undefined) {
        return { binding, resource: { buffer: this.buffers[buffer], size: UNIFORM_KINDS.includes(kind) ? size : undefined } };
      }
      return { binding, resource: this.maps[map].createView({ dimension: '2d-array', baseMipLevel: level, mipLevelCount: 1 }) };
    });
    const offsets = slots.filter(({ kind }) => kind === 'dynamic-uniform').map(() => 0);
    return { pipeline, offsets, workgroups, bindings: this.device.createBindGroup({ layout, entries }) };
  }

  /** Records the stages of these names into one pass. */
  record(encoder, names, timestampWrites) {
    const pass = encoder.beginComputePass({ label: names.join(', '), timestampWrites });
    for (const { pipeline, offsets, workgroups, bindings } of names.flatMap((name) => this.stages.get(name))) {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindings, offsets);
      pass.dispatchWorkgroups(...workgroups);
    }
    pass.end();
  }

  /** Runs the stages of these names, each in a pass of its own, to the end. */
  async run(names) {
    await valid(this.device, names.join(', '), async () => {
      const encoder = this.device.createCommandEncoder();
      for (const name of names) this.record(encoder, [name]);
      this.device.queue.submit([encoder.finish()]);
      await this.device.queue.onSubmittedWorkDone();
    });
  }

  /** One layer of one level of a map as f16, `[z][x][channel]`. */
  async read(map, layer, level) {
    const edge = this.program.resolution >> level;
    const row = edge * 8;
    const bytesPerRow = Math.ceil(row / 256) * 256;
    const buffer = this.device.createBuffer({ size: bytesPerRow * edge, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const encoder = this.device.createCommandEncoder();
    encoder.copyTextureToBuffer({ texture: this.maps[map], mipLevel: level, origin: [0, 0, layer] }, { buffer, bytesPerRow }, [edge, edge]);
    this.device.queue.submit([encoder.finish()]);
    await buffer.mapAsync(GPUMapMode.READ);
    const padded = new Uint8Array(buffer.getMappedRange());
    const packed = new Uint8Array(row * edge);
    for (let z = 0; z < edge; z += 1) packed.set(padded.subarray(z * bytesPerRow, z * bytesPerRow + row), z * row);
    buffer.destroy();
    return new Float16Array(packed.buffer);
  }
}

function createBuffer(device, { name, size, uniform, contents }) {
  const usage = (uniform ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE) | GPUBufferUsage.COPY_DST;
  const buffer = device.createBuffer({ label: name, size, usage });
  device.queue.writeBuffer(buffer, 0, bytes(contents));
  return buffer;
}

function createMap(device, label, { resolution, cascades, levels }) {
  return device.createTexture({
    label,
    size: [resolution, resolution, cascades],
    mipLevelCount: levels,
    format: 'rgba16float',
    usage: GPUTextureUsage.STORAGE_BINDING | GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_SRC,
  });
}
