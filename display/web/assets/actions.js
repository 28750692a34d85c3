// The actions of the page. Only actions fetch and change the state. An element
// names its action in data-act; behave/act.js calls it with the element's data
// attributes.

export * from "./actions/match.js";
export { signal, volume } from "./actions/mine.js";
export { share } from "./actions/result.js";
export * from "./actions/mend.js";
export * from "./actions/page.js";
export * from "./actions/setup.js";
export { again, box, find, kind, search, teach } from "./actions/lesson.js";
