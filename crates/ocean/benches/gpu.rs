//! The device the contestants share: WebGPU's default limits, and timestamps.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};

/// A device and what has gone wrong on it.
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub info: wgpu::AdapterInfo,
    /// Microseconds per tick of a timestamp.
    pub tick: f64,
    errors: Arc<Mutex<Vec<String>>>,
}

/// Whether shaders carry what WebGPU demands of every page's: clamped indices, bounded loops, zeroed workgroup memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuntimeChecks {
    /// As in a browser, and as `create_shader_module` does natively.
    On,
    /// What a native program may choose for shaders it trusts.
    Off,
}

impl Gpu {
    /// Opens the adapter whose name contains `wanted`, or the one wgpu calls the high-performance one.
    pub fn open(wanted: Option<&str>) -> Result<Self> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends: wgpu::Backends::VULKAN,
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        });
        let adapter = match wanted {
            Some(wanted) => named(&instance, wanted)?,
            None => pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
                power_preference: wgpu::PowerPreference::HighPerformance,
                ..Default::default()
            }))
            .context("no Vulkan adapter; a software one is in Debian's mesa-vulkan-drivers")?,
        };
        let info = adapter.get_info();
        if !adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            bail!("{} has no timestamp queries, and this benchmark has no other clock", info.name);
        }
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("ocean bench"),
            required_features: wgpu::Features::TIMESTAMP_QUERY,
            required_limits: wgpu::Limits::default(),
            ..Default::default()
        }))
        .with_context(|| format!("{} gave no device with WebGPU's default limits and timestamps", info.name))?;

        let errors = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&errors);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            log.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
        }));
        let tick = f64::from(queue.get_timestamp_period()) / 1000.0;
        Ok(Self { device, queue, info, tick, errors })
    }

    /// Whether this is a CPU posing as a GPU, where a full run would take hours.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// What has gone wrong since the last call. wgpu reports to the side, and a timing of nothing looks like a timing.
    pub fn check(&self) -> Result<()> {
        let errors = std::mem::take(&mut *self.errors.lock().unwrap_or_else(PoisonError::into_inner));
        if errors.is_empty() { Ok(()) } else { bail!("{}", errors.join("\n")) }
    }

    /// Waits until everything submitted has run.
    pub fn wait(&self) -> Result<()> {
        self.device.poll(wgpu::PollType::wait_indefinitely()).context("the device was lost")?;
        self.check()
    }

    /// A compute pipeline of `entry`, its layout from what the shader uses.
    pub fn pipeline(
        &self,
        source: &'static str,
        entry: &str,
        constants: &[(&str, f64)],
        checks: RuntimeChecks,
    ) -> wgpu::ComputePipeline {
        self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: None,
            module: &self.module(source, checks),
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants,
                zero_initialize_workgroup_memory: checks == RuntimeChecks::On,
            },
            cache: None,
        })
    }

    fn module(&self, source: &'static str, checks: RuntimeChecks) -> wgpu::ShaderModule {
        let descriptor = wgpu::ShaderModuleDescriptor { label: None, source: wgpu::ShaderSource::Wgsl(source.into()) };
        match checks {
            RuntimeChecks::On => self.device.create_shader_module(descriptor),
            // SAFETY: only this package's own shaders come here. Their dispatches cover their buffers exactly, so that no index
            // is ever out of bounds, and none has a loop.
            #[allow(unsafe_code)]
            RuntimeChecks::Off => unsafe {
                self.device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked())
            },
        }
    }

    /// A storage buffer that can also be filled and read.
    pub fn storage(&self, label: &str, bytes: u64) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        })
    }

    /// A buffer of `usage` that holds `contents`.
    pub fn filled(&self, label: &str, usage: wgpu::BufferUsages, contents: &[u8]) -> wgpu::Buffer {
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: contents.len() as u64,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.queue.write_buffer(&buffer, 0, contents);
        buffer
    }

    /// The bytes of a buffer that may be mapped.
    pub fn read(&self, buffer: &wgpu::Buffer) -> Result<Vec<u8>> {
        let (sender, receiver) = std::sync::mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |outcome| {
            // The other end is gone only where this function has already failed.
            let _ = sender.send(outcome);
        });
        self.wait()?;
        receiver.recv().context("the device never said whether a buffer was mapped")??;
        let bytes = buffer.get_mapped_range(..).to_vec();
        buffer.unmap();
        Ok(bytes)
    }
}

fn named(instance: &wgpu::Instance, wanted: &str) -> Result<wgpu::Adapter> {
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::VULKAN));
    let names: Vec<String> = adapters.iter().map(|adapter| adapter.get_info().name).collect();
    let chosen = adapters.into_iter().find(|a| a.get_info().name.to_lowercase().contains(&wanted.to_lowercase()));
    chosen.with_context(|| format!("no adapter's name contains `{wanted}`; there are: {}", names.join(", ")))
}
