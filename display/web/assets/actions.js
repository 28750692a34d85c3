// What can be done on the page. Nobody else fetches, and nobody else changes
// the state. A function whose name is an element's data-act is called with the
// data attributes of that element: behave/act.js.

export * from "./actions/match.js";
export * from "./actions/page.js";
export * from "./actions/setup.js";
export { again, box, find, kind, search, teach } from "./actions/lesson.js";
