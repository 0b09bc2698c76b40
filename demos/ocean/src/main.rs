//! The demo as a program. In the browser the page starts it, when it has loaded everything and looked for a GPU. Natively it opens a
//! window; `--software` asks for what a page asks for that found no GPU, and `--photograph` ([`ocean_demo::photograph`]) for a picture.

// Named so that it is linked: what the page calls is exported by the library.
use ocean_demo as demo;

#[cfg(target_arch = "wasm32")]
fn main() {
    let _ = demo::KEYS;
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match demo::photograph::Order::from_arguments(arguments.iter().cloned()) {
        Ok(Some(order)) => demo::photograph::take(order),
        Ok(None) if arguments.iter().any(|argument| argument == "--software") => demo::run(demo::Machine::Software),
        Ok(None) => demo::run(demo::Machine::Gpu),
        Err(error) => {
            eprintln!("{error}");
            return std::process::ExitCode::from(2);
        }
    }
    std::process::ExitCode::SUCCESS
}
