// The ocean's read-out: each line a number that the page's visitor may compare with another machine's or another sea's. The notes page
// says what each means.

import { setText } from './dom.js';

const id = (name) => document.getElementById(name);
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

/** What a GPU's time reads as: hundredths, because browsers give tenths and these are means of many. */
function gpuTimes(times) {
  const parts = Object.entries(times ?? {}).filter(([, ms]) => Number.isFinite(ms));
  return parts.length === 0 ? 'not available here' : parts.map(([pass, ms]) => `${pass} ${ms.toFixed(2)}`).join(' · ') + ' ms';
}

/** The browser's words for the GPU, or the engine's where it has none. */
function adapterName(adapter, engine) {
  const said = [adapter?.description, adapter?.device, adapter?.vendor, adapter?.architecture].filter(Boolean);
  return adapter?.description || [...new Set(said)].join(' ') || engine || 'unnamed';
}

/** Fills the read-out from a state of the engine and the browser's `adapter`. */
export function showReadout(state, adapter) {
  const [used, allowed] = state.workgroup_bytes;
  const rate = state.updates_per_second > 0 ? `${whole.format(state.updates_per_second)} updates/s` : 'every frame';
  const lines = {
    sea: `Hs ${state.significant_wave_height.toFixed(1)} m · Tp ${state.peak_period.toFixed(1)} s · toward ${state.mean_direction.toFixed(0)}°`,
    grid: `${state.resolution}² × ${state.cascades}, ${rate}`,
    frame: `${state.fps.toFixed(0)} fps, ${state.frame_ms.toFixed(1)} ms`,
    gpu: gpuTimes(state.gpu_ms),
    workgroup: `${whole.format(used)} / ${whole.format(allowed)} B`,
    memory: `maps ${megabytes(state.map_bytes)}, all ${megabytes(state.gpu_bytes)}`,
    mesh: `${whole.format(state.triangles)} triangles`,
    eye: `${state.height_above_water.toFixed(1)} m above the water`,
    wind: `${state.wind_speed.toFixed(0)} m/s toward ${state.wind_heading.toFixed(0)}°`,
    blood: `${whole.format(state.hits)} hits · ${state.digest} · tick ${state.tick_ms.toFixed(2)} ms`,
    proof: state.proving ? 'being painted' : state.proven === null ? 'not tried here yet' : state.proven ? '✓ both digests are as claimed' : '✗ a digest differs',
    quality: state.quality.reason ? `${state.quality.level}: ${state.quality.reason}` : state.quality.level,
    adapter: adapterName(adapter, state.adapter),
  };
  for (const [name, text] of Object.entries(lines)) setText(id(`readout-${name}`), text);
}
