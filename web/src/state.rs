//! A demo's state as a plain JavaScript object.

use js_sys::{Object, Reflect};
use wasm_bindgen::JsValue;

/// A plain object of named values: a fresh copy for whoever asks, so that nobody can change the demo through it.
pub fn object<'a>(fields: impl IntoIterator<Item = (&'a str, JsValue)>) -> Object {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a property of a new plain object cannot fail.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object
}
