//! The rows that a notes page promises: its legend, its tables of parameters, and what a link can say.
//!
//! A row of the legend has `data-key`; one of a parameter has `data-name` and `data-default`; one of a link has `data-name` and stands in a table whose name
//! begins with `links-`. Other tables have none of these.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::{Demo, stem};
use crate::site::html::{self, Tag};

/// Which kind of row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// A key or a gesture, and what it does.
    Legend,
    /// A dial.
    Parameters,
    /// A name in a link, and what it can be.
    Links,
}

/// All of them, in the order in which they are shown, with their headings.
pub const TABLES: [(Table, &str); 3] =
    [(Table::Legend, "Keys and gestures"), (Table::Parameters, "Parameters"), (Table::Links, "Links")];

impl Table {
    /// As the record names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Legend => "legend",
            Self::Parameters => "parameters",
            Self::Links => "links",
        }
    }
}

/// One row, as it is written.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    /// The demo whose notes it is in.
    pub demo: String,
    /// What kind it is of.
    pub table: Table,
    /// Its key, gesture or parameter, or its name in a link.
    pub id: String,
    /// The heading that it stands under.
    pub heading: String,
    /// The text of each cell with its column's name.
    pub cells: Vec<(String, String)>,
}

/// Every demo that has notes in this folder.
pub fn read(folder: &Path) -> Result<Vec<Demo>> {
    let mut demos = Vec::new();
    let mut names = crate::site::files_below(folder)?;
    names.retain(|name| crate::site::has_extension(name, &["html"]));
    ensure!(!names.is_empty(), "{} has no notes pages", folder.display());
    for name in names {
        let path = crate::site::file(folder, &name);
        let text = std::fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
        let demo = stem(&path);
        let rows = rows(&demo, &text);
        ensure!(!rows.is_empty(), "{} has no row with data-key, nor one with data-name and data-default", path.display());
        demos.push(Demo { title: title(&text), name: demo, rows });
    }
    Ok(demos)
}

fn title(page: &str) -> String {
    let heading = html::tags(page).into_iter().find(|tag| tag.name == "h1");
    heading.map(|tag| html::text_in(page, &tag)).unwrap_or_default()
}

/// The rows of a page, in its order.
pub fn rows(demo: &str, page: &str) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut heading = String::new();
    let mut columns: Vec<String> = Vec::new();
    let mut of_links = false;
    // Whether the cells that come belong to the last of `rows`.
    let mut within = false;
    for tag in html::tags(page) {
        match tag.name.as_str() {
            "h2" | "h3" => heading = html::text_in(page, &tag),
            "table" => {
                columns.clear();
                of_links = tag.attribute("id").is_some_and(|id| id.starts_with("links-"));
            }
            "tr" => {
                let kind = kind(&tag, of_links);
                within = kind.is_some();
                if let Some((table, id)) = kind {
                    rows.push(Row { demo: demo.into(), table, id, heading: heading.clone(), cells: Vec::new() });
                }
            }
            "th" if tag.attribute("scope") == Some("col") => columns.push(html::text_in(page, &tag)),
            "td" | "th" => {
                if let Some(row) = rows.last_mut().filter(|_| within) {
                    let column = columns.get(row.cells.len()).cloned().unwrap_or_default();
                    row.cells.push((column, html::text_in(page, &tag)));
                }
            }
            _ => {}
        }
    }
    rows
}

fn kind(tag: &Tag, of_links: bool) -> Option<(Table, String)> {
    if let Some(key) = tag.attribute("data-key") {
        return Some((Table::Legend, key.to_owned()));
    }
    let name = tag.attribute("data-name")?;
    let table = if of_links { Table::Links } else { Table::Parameters };
    (of_links || tag.attribute("data-default").is_some()).then(|| (table, name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"<h1>Notes on <em>X</em></h1><h2 id="k">Keys &amp; gestures</h2>
        <table><thead><tr><th scope="col">key</th><th scope="col">action</th></tr></thead><tbody>
        <tr data-key="&quot;" data-action="quote"><td><kbd>"</kbd></td><td>say  a &lt;b&gt;
            out loud</td></tr></tbody></table>
        <h3>Sea</h3><table><thead><tr><th scope="col">name</th><th scope="col">range</th></tr></thead><tbody>
        <tr data-name="depth" data-default="2"><th scope="row">Depth <code>depth</code></th><td>0 to 9</td></tr></tbody></table>
        <h2>Links</h2><table id="links-x"><tr data-name="v" data-options="1"><th scope="row">v</th><td>1</td></tr>
        <tr data-name="lines" data-default="off"><th scope="row">lines</th><td>off, on</td></tr></table>
        <table><tr data-name="frame"><th scope="row">frame</th><td>Frames shown.</td></tr></table>"#;

    #[test]
    fn rows_are_read_with_their_columns_and_headings() {
        let rows = rows("x", PAGE);
        let ids: Vec<_> = rows.iter().map(|row| (row.table, row.id.as_str(), row.heading.as_str())).collect();
        let links = ["v", "lines"].map(|name| (Table::Links, name, "Links"));
        assert_eq!(ids, [[(Table::Legend, "\"", "Keys & gestures"), (Table::Parameters, "depth", "Sea")], links].concat());
        let cell = |column: &str, text: &str| (column.to_owned(), text.to_owned());
        assert_eq!(rows[0].cells, [cell("key", "\""), cell("action", "say a <b> out loud")]);
        assert_eq!(rows[1].cells, [cell("name", "Depth depth"), cell("range", "0 to 9")]);
        assert_eq!(title(PAGE), "Notes on X");
    }

    #[test]
    fn the_notes_of_this_repository_have_rows_of_every_kind() {
        let demos = read(&crate::workspace::root().join("site").join("notes")).unwrap();
        for demo in &demos {
            for (table, _) in TABLES {
                assert!(demo.rows.iter().any(|row| row.table == table), "{}: {}", demo.name, table.name());
            }
            assert!(demo.rows.iter().all(|row| row.cells.len() >= 2), "{}", demo.name);
        }
        assert_eq!(demos.len(), 2);
    }
}
