// Actions of a page that a projector shows in turns.

import { address, addressed } from "../address.js";
import { change, has } from "../store.js";

const [USUAL, LEAST, MOST] = [15, 1, 3600]; // seconds

const named = Number(addressed("rotate").rotate);

// After how many seconds the next screen is shown, 0 for a page that people scroll.
has({ rotate: named > 0 ? Math.min(MOST, Math.max(LEAST, named)) : 0 });

// project fills the screen and shows everything in turns; leave ends it.
export function project() {
  document.documentElement.requestFullscreen?.().catch(() => {}); // a browser may refuse: the turns go on
  turnEvery(USUAL);
}

export const leave = () => turnEvery(0);

function turnEvery(rotate) {
  address({ rotate });
  change({ rotate });
}
