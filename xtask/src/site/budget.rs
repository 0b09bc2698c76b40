//! What each page weighs when it arrives, and whether that is within its budget.
//!
//! A page is its HTML and, from there on, every file of the site that is named in what it loads: in attributes, in style
//! sheets, in imports, and in any string of a script that is the name of a file, relative to the script, to the page or to
//! the site. Links to other pages are not followed. A demo's page, `demos/NAME/`, also loads `pkg/NAME.js`,
//! `pkg/NAME_bg.wasm`, `pkg/manifest.json`, `pictures/NAME.jpg` and, to read the legend, the text of `notes/NAME.html`,
//! whose names its scripts put together. So what a page might load counts as if it did: the sums are at most too high.
//!
//! Sizes are what goes over the wire: the `.br` beside a file where there is one, the file itself otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use anyhow::Result;

use super::references::{self, Target, Use};

/// The most a demo's wasm may weigh, in bytes after brotli.
const WASM: [(&str, u64); 2] = [("wetmap_paint", 4_500_000), ("ocean", 6_500_000)];
/// The most everything else on a page may weigh, in bytes after brotli.
const PAGE: u64 = 150_000;

/// The size of a file or of several: as it is, after gzip, after brotli.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// As it is.
    pub raw: u64,
    /// After gzip.
    pub gzip: u64,
    /// After brotli.
    pub brotli: u64,
}

impl std::iter::Sum for Size {
    fn sum<I: Iterator<Item = Self>>(sizes: I) -> Self {
        sizes.fold(Self::default(), |sum, size| Self {
            raw: sum.raw + size.raw,
            gzip: sum.gzip + size.gzip,
            brotli: sum.brotli + size.brotli,
        })
    }
}

/// One line of the table.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    /// What it is about.
    pub what: String,
    /// What that weighs.
    pub size: Size,
    /// The most it may weigh after brotli; nothing where no budget is stated.
    pub budget: Option<u64>,
}

impl Row {
    /// Whether it weighs more than it may.
    pub fn is_over(&self) -> bool {
        self.budget.is_some_and(|budget| self.size.brotli > budget)
    }
}

/// Weighs the site: a row for each wasm, each page without its wasm, and everything.
pub fn weigh(site: &Path) -> Result<Vec<Row>> {
    let all = super::files_below(site)?;
    let sizes = sizes(site, &all)?;
    let texts = texts(site, &all)?;
    let mut rows = Vec::new();
    for (name, &size) in &sizes {
        if super::has_extension(name, &["wasm"]) {
            let stated = wasm_budget(name);
            let unstated = ", for which xtask/src/site/budget.rs states no budget";
            let what = format!("{name}{}", if stated.is_none() { unstated } else { "" });
            // Nothing stated is nothing granted: a new demo comes with its budget.
            let budget = Some(stated.unwrap_or(0));
            rows.push(Row { what, size, budget });
        }
    }
    for page in texts.keys().filter(|name| super::has_extension(name, &["html"])) {
        let loaded = loaded(page, &sizes.keys().cloned().collect(), &texts);
        let light = loaded.iter().filter(|name| !super::has_extension(name, &["wasm"]));
        let size = light.filter_map(|name| sizes.get(name)).copied().sum();
        rows.push(Row { what: format!("{page} and all it loads but wasm"), size, budget: Some(PAGE) });
    }
    rows.push(Row { what: format!("everything: {} files", sizes.len()), size: sizes.values().copied().sum(), budget: None });
    Ok(rows)
}

fn wasm_budget(file: &str) -> Option<u64> {
    let name = file.rsplit('/').next()?.strip_suffix("_bg.wasm")?;
    WASM.iter().find(|(demo, _)| *demo == name).map(|&(_, budget)| budget)
}

/// The sizes of all files that are not themselves the compressed form of another.
fn sizes(site: &Path, all: &[String]) -> Result<BTreeMap<String, Size>> {
    let length = |name: &str| std::fs::metadata(super::file(site, name)).map(|m| m.len());
    let mut sizes = BTreeMap::new();
    for name in all {
        let plain = name.strip_suffix(".br").or(name.strip_suffix(".gz"));
        if plain.is_some_and(|plain| all.iter().any(|other| other == plain)) {
            continue;
        }
        let raw = length(name)?;
        let size = Size {
            raw,
            gzip: length(&format!("{name}.gz")).unwrap_or(raw),
            brotli: length(&format!("{name}.br")).unwrap_or(raw),
        };
        sizes.insert(name.clone(), size);
    }
    Ok(sizes)
}

/// The texts of the files that may refer to others.
fn texts(site: &Path, all: &[String]) -> Result<BTreeMap<String, String>> {
    let refers = |name: &&String| super::has_extension(name, &["html", "css", "js", "mjs"]);
    let read = |name: &String| Ok((name.clone(), super::text(site, name)?));
    all.iter().filter(refers).map(read).collect()
}

/// The files that a page may load, itself included.
fn loaded(page: &str, known: &BTreeSet<String>, texts: &BTreeMap<String, String>) -> BTreeSet<String> {
    let mut loaded = BTreeSet::from([page.to_owned()]);
    let mut todo = vec![page.to_owned()];
    if let Some(demo) = page.strip_prefix("demos/").and_then(|p| p.strip_suffix("/index.html")) {
        let by_name = [
            format!("pkg/{demo}.js"),
            format!("pkg/{demo}_bg.wasm"),
            "pkg/manifest.json".into(),
            format!("pictures/{demo}.jpg"),
        ];
        todo.extend(by_name);
        // Its text alone: what that page would load, this one does not.
        loaded.extend(Some(format!("notes/{demo}.html")).filter(|notes| known.contains(notes)));
    }
    while let Some(name) = todo.pop() {
        if known.contains(&name) {
            loaded.insert(name.clone());
        }
        let Some(text) = texts.get(&name) else {
            continue;
        };
        for reference in references::of_file(&name, text) {
            if reference.kind == Use::Follow {
                continue;
            }
            for base in [name.as_str(), page, "index.html"] {
                if let Target::Inside(file) = references::resolve(base, &reference.url)
                    && known.contains(&file)
                    && !super::has_extension(&file, &["html"])
                    && loaded.insert(file.clone())
                {
                    todo.push(file);
                }
            }
        }
    }
    loaded
}

/// The rows as a table to print.
pub fn table(rows: &[Row]) -> String {
    let head = ["", "raw", "gzip", "brotli", "budget"].map(str::to_owned);
    let mut lines = vec![head];
    for row in rows {
        let verdict = match row.budget {
            None => String::new(),
            Some(budget) if row.is_over() => format!("{} OVER", kilobytes(budget)),
            Some(budget) => kilobytes(budget),
        };
        let size = row.size;
        let numbers = [size.raw, size.gzip, size.brotli].map(kilobytes);
        let [raw, gzip, brotli] = numbers;
        lines.push([row.what.clone(), raw, gzip, brotli, verdict]);
    }
    let widths: Vec<usize> =
        (0..5).map(|column| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0)).collect();
    let mut table = String::new();
    for line in &lines {
        let mut text = format!("{:<width$}", line[0], width = widths[0]);
        for (cell, &width) in line.iter().zip(&widths).skip(1) {
            // Writing to a string cannot fail.
            let _ = write!(text, "  {cell:>width$}");
        }
        table.push_str(text.trim_end());
        table.push('\n');
    }
    table
}

/// 1 kB is 1000 bytes, 1 MB a million.
fn kilobytes(bytes: u64) -> String {
    if bytes < 1_000_000 { format!("{:.1} kB", bytes as f64 / 1e3) } else { format!("{:.2} MB", bytes as f64 / 1e6) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_what_it_may_load() {
        let texts: BTreeMap<String, String> = [
            ("index.html", r#"<a href="demos/ocean/">x</a><link rel="stylesheet" href="a.css">"#),
            ("a.css", "p { background: url(b.png) }"),
            ("demos/ocean/index.html", r#"<script type="module" src="../../scripts/demo.js"></script>"#),
            ("scripts/demo.js", "import './more.js'; show('still.webp'); fetch(new URL('cases/all.json', site))"),
            ("scripts/more.js", "import './demo.js'; fetch('../other.json')"),
            ("pkg/ocean.js", "new URL('ocean_bg.wasm', import.meta.url)"),
            ("notes/ocean.html", r#"<link rel="stylesheet" href="../notes.css"><img src="figure.svg">"#),
        ]
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .into();
        let mut known: BTreeSet<String> = texts.keys().cloned().collect();
        for name in [
            "b.png",
            "cases/all.json",
            "demos/ocean/still.webp",
            "notes.css",
            "notes/figure.svg",
            "other.json",
            "pkg/ocean_bg.wasm",
            "unused.png",
        ] {
            known.insert(name.to_owned());
        }
        let list = |page| loaded(page, &known, &texts).into_iter().collect::<Vec<_>>();
        assert_eq!(list("index.html"), ["a.css", "b.png", "index.html"]);
        let demo = [
            "cases/all.json",
            "demos/ocean/index.html",
            "demos/ocean/still.webp",
            "notes/ocean.html",
            "other.json",
            "pkg/ocean.js",
            "pkg/ocean_bg.wasm",
            "scripts/demo.js",
            "scripts/more.js",
        ];
        assert_eq!(list("demos/ocean/index.html"), demo);
    }

    #[test]
    fn budgets_are_met_or_not() {
        let row = |brotli, budget| Row { what: String::new(), size: Size { raw: 9_000_000, gzip: 5_000_000, brotli }, budget };
        assert!(!row(150_000, Some(PAGE)).is_over());
        assert!(row(150_001, Some(PAGE)).is_over());
        assert!(!row(u64::MAX, None).is_over());
        assert!(table(&[row(150_001, Some(PAGE))]).contains("9.00 MB  5.00 MB  150.0 kB  150.0 kB OVER"));
        assert_eq!(wasm_budget("pkg/ocean_bg.wasm"), Some(6_500_000));
        assert_eq!(wasm_budget("pkg/other_bg.wasm"), None);
    }

    #[test]
    fn the_compressed_form_is_what_counts() {
        let site = std::env::temp_dir().join(format!("xtask-budget-{}", std::process::id()));
        std::fs::create_dir_all(&site).unwrap();
        for (name, length) in [("index.html", 5000), ("index.html.br", 1000), ("index.html.gz", 1200)] {
            std::fs::write(site.join(name), vec![b'a'; length]).unwrap();
        }
        let rows = weigh(&site).unwrap();
        std::fs::remove_dir_all(&site).unwrap();
        assert_eq!(rows[0].size, Size { raw: 5000, gzip: 1200, brotli: 1000 });
        assert_eq!(rows[1].what, "everything: 1 files");
    }
}
