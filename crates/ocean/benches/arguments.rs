//! The command line.

use std::path::PathBuf;

/// What `--help` prints.
pub const HELP: &str = "\
GPU time of an ocean update, beside the classic form of the technique and the bandwidth floor

cargo xtask bench ocean [OPTION ...]

  --sizes 256,512        texels along a side: powers of two, 64 to 4096
                         (256,512,1024,2048; on a software adapter 256,512)
  --cascades 3           1 to 8
  --iterations 200       single updates timed per contestant and size (6 on a software adapter)
  --only SUBSTRING       only contestants whose names contain this
  --adapter SUBSTRING    the Vulkan adapter whose name contains this
  --cufft python3        also time cuFFT's bare transforms, with the Python that is named; it needs CuPy
  --json FILE            also write everything as JSON
  --check                compare the classic form's maps with a plain sum in f64, and time nothing
  --help";

/// What was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    pub sizes: Option<Vec<u32>>,
    pub cascades: Option<u32>,
    pub iterations: Option<usize>,
    pub only: Option<String>,
    pub adapter: Option<String>,
    pub cufft: Option<String>,
    pub json: Option<PathBuf>,
    pub check: bool,
    pub help: bool,
}

impl Arguments {
    /// Understands the arguments, or says which of them it does not.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut parsed = Self::default();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} wants a value"));
            match argument.as_str() {
                // Cargo says so to every bench.
                "--bench" => {}
                "--help" | "-h" => parsed.help = true,
                "--check" => parsed.check = true,
                "--sizes" => parsed.sizes = Some(sizes(&value()?)?),
                "--cascades" => parsed.cascades = Some(number(&argument, &value()?, 1, 8)? as u32),
                "--iterations" => parsed.iterations = Some(number(&argument, &value()?, 1, 5000)?),
                "--only" => parsed.only = Some(value()?),
                "--adapter" => parsed.adapter = Some(value()?),
                "--cufft" => parsed.cufft = Some(value()?),
                "--json" => parsed.json = Some(value()?.into()),
                _ => return Err(format!("{argument} is no option of this benchmark")),
            }
        }
        Ok(parsed)
    }

    /// Whether a contestant of this name is wanted.
    pub fn wants(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| name.to_lowercase().contains(&only.to_lowercase()))
    }
}

fn number(option: &str, value: &str, least: usize, most: usize) -> Result<usize, String> {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("{option} wants a number from {least} to {most}, not `{value}`"))
}

fn sizes(value: &str) -> Result<Vec<u32>, String> {
    let size = |text: &str| {
        let size = text.trim().parse().ok().filter(|size: &u32| size.is_power_of_two() && (64..=4096).contains(size));
        size.ok_or_else(|| format!("--sizes wants powers of two from 64 to 4096 with commas between, not `{value}`"))
    };
    let mut sizes = value.split(',').map(size).collect::<Result<Vec<_>, _>>()?;
    sizes.sort_unstable();
    sizes.dedup();
    Ok(sizes)
}
