//! Reading the notes pages, which are the specification, so that tests can hold the program against them.
//!
//! What can be held against a page without a browser is tested in the files beside this crate's manifest; what needs one, in
//! `browser/`.

use scraper::{ElementRef, Html, Selector};

/// A page of the site.
pub struct Page(Html);

/// A row of one of its tables: the `data-` attributes of the `<tr>`, and the text of its cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Attribute names without `data-`, with their values.
    pub data: Vec<(String, String)>,
    /// The text of each cell, white space folded.
    pub cells: Vec<String>,
}

impl Row {
    /// The value of `data-name`, or an empty text.
    pub fn data(&self, name: &str) -> &str {
        self.data.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// The words of `data-name`, where it is a list.
    pub fn list(&self, name: &str) -> Vec<&str> {
        self.data(name).split_whitespace().collect()
    }
}

impl Page {
    /// Parses a page.
    pub fn of(html: &str) -> Self {
        Self(Html::parse_document(html))
    }

    /// The body rows of the table with this `id`, in order. Empty when there is no such table.
    pub fn rows(&self, table_id: &str) -> Vec<Row> {
        let Ok(selector) = Selector::parse(&format!("table#{table_id} > tbody > tr")) else {
            return Vec::new();
        };
        self.0.select(&selector).map(row).collect()
    }
}

/// The legend in a demo's doc comment: a table whose rows are `` //! | `key` | action | ``.
pub fn documented_legend(source: &str) -> Vec<(String, String)> {
    source
        .lines()
        .filter_map(|line| line.strip_prefix("//! | `")?.strip_suffix(" |"))
        .filter_map(|row| row.split_once("` | "))
        .map(|(key, action)| (key.to_owned(), action.to_owned()))
        .collect()
}

fn row(tr: ElementRef) -> Row {
    let data = tr.value().attrs().filter_map(|(name, value)| Some((name.strip_prefix("data-")?.to_owned(), value.to_owned())));
    let cells =
        tr.child_elements().map(|cell| cell.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" "));
    Row { data: data.collect(), cells: cells.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_with_their_attributes() {
        let page = Page::of(
            r#"<table id="t"><thead><tr><th>x</thead><tbody><tr data-key="a"><th><kbd>A</kbd> or
            B<td>does</table>"#,
        );
        let rows = page.rows("t");
        assert_eq!(rows.len(), 1);
        assert_eq!((rows[0].data("key"), rows[0].data("none")), ("a", ""));
        assert_eq!(rows[0].cells, ["A or B", "does"]);
        assert!(page.rows("u").is_empty());
    }
}
