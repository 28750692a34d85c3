// A page of one part.

import { draw, dress } from "./dom.js";
import { drawWith } from "./store.js";
import { say } from "./words.js";

// page draws a part whenever the state changes, and calls follow after each drawing.
// title returns the page's title.
export function page(title, part, follow = () => {}) {
  drawWith(state => {
    dress(state);
    document.title = title() + " · " + say("page.title");
    const main = document.getElementById("page");
    main.ariaLabel = title();
    draw(main, part(state));
    follow(state);
  });
}
