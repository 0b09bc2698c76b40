//! The read-out of the native demo: the window's title, and the legend in the terminal.

use crate::status::Status;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;

/// The notes page: the legend is written there, once.
const NOTES: &str = include_str!("../../../site/notes/ocean.html");

/// Frames from one change of the title to the next.
const TITLE_FRAMES: u32 = 15;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Startup, print_legend).add_systems(Last, (show_status, print_help, print_notices));
}

fn print_legend() {
    println!("{}", legend());
}

/// The rows of the legend as text.
fn legend() -> String {
    let section = NOTES.split_once("id=\"notes-ocean\"").map_or("", |(_, rest)| rest);
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
    if !status.frame.is_multiple_of(TITLE_FRAMES) {
        return;
    }
    for mut window in &mut window {
        window.title = if status.readout_shown { title(&status) } else { "ocean".into() };
    }
}

/// The demo's state in a line.
pub(crate) fn title(status: &Status) -> String {
    let gpu =
        status.gpu_ms.map_or(String::new(), |ms| format!(" · GPU {:.2} + {:.2} + {:.2} ms", ms.simulation, ms.mips, ms.water));
    let paused = if status.paused { " · paused" } else { "" };
    format!(
        "ocean · {} · {} · {}² × {} · Hs {:.1} m, Tp {:.1} s · {:.0} fps{gpu}{paused}",
        status.preset,
        status.sun.sky.name(),
        status.report.as_ref().map_or(status.surface.wave_resolution, |report| report.resolution),
        status.surface.sea.cascades.len(),
        status.sea.wave_height,
        status.sea.peak_period,
        status.fps(),
    )
}

fn print_help(status: Res<Status>, mut shown: Local<bool>) {
    if status.help_shown && !*shown {
        print_legend();
    }
    *shown = status.help_shown;
}

fn print_notices(status: Res<Status>, mut told: Local<Vec<String>>) {
    if *told != status.notices {
        if let Some(notice) = status.notices.last() {
            println!("{notice}");
        }
        told.clone_from(&status.notices);
    }
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
