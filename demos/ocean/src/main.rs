//! The demo as a program. In the browser the page starts it, when it has loaded everything and looked for a GPU. Natively it opens a
//! window; `--software` asks for what a page asks for that found no GPU, and `--photograph` ([`ocean_demo::photograph`]) for a picture.

// Named so that it is linked: what the page calls is exported by the library.
use ocean_demo as demo;

#[cfg(target_arch = "wasm32")]
fn main() {
    let _ = demo::KEYS;
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> Result<(), demo::photograph::OrderError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(order) = demo::photograph::Order::from_arguments(arguments.iter().cloned())? {
        demo::photograph::take(order);
    } else {
        let software = arguments.iter().any(|argument| argument == "--software");
        demo::run(if software { demo::Machine::Software } else { demo::Machine::Gpu });
    }
    Ok(())
}
