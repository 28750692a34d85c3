// An element names one of these actions in data-act; behave/act.js calls it with the
// element's data attributes.

export * from "./actions/deal.js";
export * from "./actions/lesson.js";
export * from "./actions/match.js";
export { setting } from "./actions/mine.js";
export * from "./actions/mend.js";
export * from "./actions/page.js";
export * from "./actions/setup.js";
