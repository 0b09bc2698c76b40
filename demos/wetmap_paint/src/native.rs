//! The read-out of the native demo: the window's title, and the legend in the terminal. Given a recording's file, it plays that and prints what
//! came out, so that what a browser has recorded can be compared here.

use crate::replay;
use crate::status::Status;
use crate::subject::PlayScript;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;

/// The notes page: the legend is written there, once.
const NOTES: &str = include_str!("../../../site/notes/wetmap_paint.html");

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Startup, (print_legend, play_file)).add_systems(Last, (show_status, print_help, print_verdict));
}

/// Plays the file that the program was given.
fn play_file(mut scripts: MessageWriter<PlayScript>) {
    let Some(path) = std::env::args_os().nth(1) else {
        return;
    };
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string());
    match text.and_then(|text| replay::of_file(&text).map_err(|error| error.to_string())) {
        Ok(script) => {
            scripts.write(PlayScript(script));
        }
        Err(error) => eprintln!("{}: {error}", path.display()),
    }
}

fn print_verdict(status: Res<Status>, mut told: Local<bool>) {
    let running = status.replay();
    let verdict = running.and_then(|running| running.verdict);
    if let Some((running, met)) = running.zip(verdict).filter(|_| !*told) {
        let (expected, actual) = running.digests();
        println!("{} expected {expected}, got {actual}", if met { '✓' } else { '✗' });
    }
    *told = verdict.is_some();
}

fn print_legend() {
    println!("{}", legend());
}

/// The rows of the legend as text.
fn legend() -> String {
    let section = NOTES.split_once("id=\"notes-wetmap_paint\"").map_or("", |(_, rest)| rest);
    let table = section.split_once("<tbody>").and_then(|(_, rest)| rest.split_once("</tbody>")).map_or("", |(rows, _)| rows);
    let rows = table.split("</tr>").map(|row| {
        let cells = row.split("</td>").map(text_of).filter(|cell| !cell.is_empty());
        cells.collect::<Vec<_>>().join("\t")
    });
    rows.filter(|row| !row.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The text of a piece of HTML: what stands outside the tags, white space folded.
fn text_of(html: &str) -> String {
    let text: String = html
        .split('<')
        .enumerate()
        .map(|(i, part)| if i == 0 { part } else { part.split_once('>').map_or("", |(_, text)| text) })
        .collect();
    let text = text.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn show_status(status: Res<Status>, mut window: Query<&mut Window, With<PrimaryWindow>>) {
    if !status.frame.is_multiple_of(15) {
        return;
    }
    let digest = if status.digest_shown { format!(" · digest {:016x}", status.digest) } else { String::new() };
    let paused = if status.paused { " · paused" } else { "" };
    for mut window in &mut window {
        window.title = format!(
            "wetmap_paint · tick {}{digest} · {:.1} cm² · gravity {}{paused}",
            status.run.tick,
            status.wetted_area * 1e4,
            status.gravity(),
        );
    }
}

fn print_help(status: Res<Status>, mut shown: Local<bool>) {
    if status.help_shown && !*shown {
        print_legend();
    }
    *shown = status.help_shown;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_legend_is_the_notes_pages() {
        let legend = legend();
        for key in crate::KEYS {
            assert!(
                legend.lines().any(|row| row.split('\t').next().is_some_and(|keys| keys.contains(key.name))),
                "{} in\n{legend}",
                key.name
            );
        }
        assert!(!legend.contains(['<', '>']), "{legend}");
    }
}
