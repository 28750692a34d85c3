// What has just happened, for screen readers. A new element is read once.

import { h } from "../dom.js";

export const news = ({ news: { n, lines } }) => lines.length > 0 && h("p", { "data-k": "n" + n }, lines.join(". "));
