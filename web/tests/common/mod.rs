//! Fragments that nobody should send: random ones, and links that have been mangled. The tests read some, `cargo xtask bench links`
//! reads a million.

/// Links as people send them, to be mangled.
pub const LINKS: [&str; 6] = [
    "#v=1",
    "#v=1&preset=tropical&c2.wind_speed=12.5&camera=0,2.5,0,0.3,-0.1",
    "#v=1&preset=stormy_ocean&sky=overcast&sun=120,14&wind=20,45&map=jacobian&map_cascade=2&lines=on&paused=on",
    "v=1&water_color=0.01,0.02,0.03&cascades=8&c8.tile_length.x=3.5&seed=4294967295",
    "#v=1&size=256&script=0:r120;12:s0.34,0.18;30:s0.36,0.44&digest=de9b381a2b8d8be2",
    "#v=2&note=%E2%9C%93%20as%20claimed&future=%26%3D%25",
];

/// Pieces that a reader of links looks at.
const MARKS: [&str; 16] =
    ["&", "=", "#", "%", "v=1", "v=", "%2", "%zz", "%ff", "%C3%28", "\u{0}", "🌊", "\u{202e}", "é", "1e999", "NaN"];

/// An endless supply. An LCG: a hostile input needs variety and not quality.
pub struct Hostile(u64);

impl Hostile {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize
    }

    fn below(&mut self, limit: usize) -> usize {
        self.next() % limit.max(1)
    }

    /// One input. One in some hundred is longer than any link may be.
    pub fn fragment(&mut self) -> String {
        match self.below(256) {
            0 => self.long(),
            1..64 => self.noise(),
            64..128 => self.marks(),
            _ => self.mangled(),
        }
    }

    /// Bytes, as whatever text they are.
    fn noise(&mut self) -> String {
        let length = self.below(64);
        let bytes: Vec<u8> = (0..length).map(|_| self.next() as u8).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Marks and what may stand between them.
    fn marks(&mut self) -> String {
        let count = self.below(24);
        (0..count)
            .map(|_| if self.below(3) == 0 { "a".to_owned() } else { MARKS[self.below(MARKS.len())].to_owned() })
            .collect()
    }

    /// A link with a few changes.
    fn mangled(&mut self) -> String {
        let mut link: Vec<char> = LINKS[self.below(LINKS.len())].chars().collect();
        for _ in 0..=self.below(4) {
            let at = self.below(link.len() + 1);
            let to = at + self.below(link.len() + 1 - at);
            match self.below(4) {
                0 => drop(link.drain(at..to)),
                1 => drop(link.splice(at..at, MARKS[self.below(MARKS.len())].chars())),
                2 => {
                    let copy: Vec<char> = link[at..to].to_vec();
                    drop(link.splice(to..to, copy));
                }
                _ => {
                    let any = char::from_u32(self.below(0x11_0000) as u32).unwrap_or('\u{fffd}');
                    link.get_mut(at).into_iter().for_each(|character| *character = any);
                }
            }
        }
        link.into_iter().collect()
    }

    /// Too many pairs, or too much in one.
    fn long(&mut self) -> String {
        let piece = match self.below(4) {
            0 => "&".to_owned(),
            1 => format!("&n{}=1", self.next()),
            2 => "%E2%9C%93".to_owned(),
            _ => self.mangled(),
        };
        let pieces = self.below(60_000 / piece.len().max(1) + 1);
        let start = LINKS[self.below(LINKS.len())];
        let mut link = String::from(start);
        (0..pieces).for_each(|_| link.push_str(&piece));
        link
    }
}
