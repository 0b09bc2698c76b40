// The notes page is the specification of the ocean demo: each row of its legend is read, done in a real browser, and seen to happen. A row
// that nothing here knows how to do fails, and so does a key that the program takes and the page does not name. Then the panel against
// the tables of dials, what can be read, and what the page owes its visitor.
//
// Drawing in software, a frame may take a second: nothing here is decided by a clock, every wait is for something to be seen. The picture
// is small, the grids are the smallest, and the waves stand still wherever two moments are compared.
//
// One page serves all of it, in this order: `ocean/page.mjs` opens it.

import './ocean/legend.mjs';
import './ocean/panel.mjs';
import './ocean/dials.mjs';
import './ocean/reading.mjs';
import './ocean/failing.mjs';
