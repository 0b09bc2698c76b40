//! The water on a real device: what is drawn, what depth holds, what is freed. On a machine without a GPU, Mesa's lavapipe draws it.

mod stage;

mod culling;
mod depth;
mod layout;
mod lifecycle;
mod looks;
mod robustness;
mod simulation;
