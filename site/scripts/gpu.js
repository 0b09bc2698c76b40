// Asks the browser for a GPU before the program does, because the program can only panic where a page can explain.

/** What every demo needs of an adapter. All are within WebGPU's guaranteed defaults, so only a restricted adapter lacks one. */
export const NEEDS = {
  maxTextureDimension2D: 2048,
  maxBindGroups: 4,
  maxBindingsPerBindGroup: 640,
  maxSampledTexturesPerShaderStage: 16,
  maxSamplersPerShaderStage: 16,
  maxStorageBuffersPerShaderStage: 4,
  maxUniformBufferBindingSize: 16384,
  maxStorageBufferBindingSize: 134217728,
  maxBufferSize: 268435456,
};

/** The limits that the page's state object repeats. */
const REPORTED = [
  ...Object.keys(NEEDS),
  'maxColorAttachments',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupSizeY',
  'maxComputeWorkgroupSizeZ',
  'maxComputeWorkgroupsPerDimension',
  'maxStorageTexturesPerShaderStage',
  'maxVertexBuffers',
  'maxVertexAttributes',
];

export class GpuError extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

/** Whether a device can be had, which an adapter does not promise: a driver that has just failed has one and refuses the other. */
async function tryDevice(adapter, requiredLimits) {
  let device;
  try {
    device = await adapter.requestDevice({ label: 'trial', requiredLimits });
  } catch (error) {
    throw new GpuError('no-device', `requestDevice: ${error.message}`);
  }
  device.destroy();
}

/**
 * `{ adapter, limits, software }`, plain and frozen, or a `GpuError` whose `kind` names the failure page. `more` are the limits that a
 * demo needs beyond `NEEDS`.
 */
export async function probe(more = {}) {
  if (!window.isSecureContext) throw new GpuError('insecure-context', `${location.origin} is not a secure context`);
  if (!navigator.gpu) throw new GpuError('no-webgpu', 'navigator.gpu is not there');
  let found;
  try {
    found = await navigator.gpu.requestAdapter();
  } catch (error) {
    throw new GpuError('no-adapter', `requestAdapter: ${error.message}`);
  }
  if (!found) throw new GpuError('no-adapter', 'requestAdapter gave null');

  const { vendor = '', architecture = '', device = '', description = '' } = found.info ?? {};
  const adapter = Object.freeze({ vendor, architecture, device, description });
  const needs = { ...NEEDS, ...more };
  const reported = new Set([...REPORTED, ...Object.keys(needs)]);
  const limits = Object.freeze(Object.fromEntries(Array.from(reported).filter((name) => name in found.limits).map((name) => [name, found.limits[name]])));
  const short = Object.entries(needs).filter(([name, need]) => !(limits[name] >= need));
  if (short.length > 0) {
    const list = short.map(([name, need]) => `${name} is ${limits[name]}, needs ${need}`).join('; ');
    throw Object.assign(new GpuError('limit', list), { adapter, limits });
  }
  try {
    await tryDevice(found, needs);
  } catch (error) {
    throw Object.assign(error, { adapter, limits });
  }
  // A program that plays the GPU: the picture is then drawn with less care, and the processor left more time.
  const software = Boolean(found.info?.isFallbackAdapter ?? found.isFallbackAdapter) || architecture === 'swiftshader';
  return { adapter, limits, software };
}
