// What a view says of a card.

export const idOf = c => c.card === null ? "" : c.copy ? c.card + "." + c.copy : c.card;

// longest counts the letters of the longest word of a name: it stays whole,
// if in smaller letters.
export const longest = name => Math.max(...name.split(/[\s\u00ad-]+/).map(w => w.length));

// withAll lists a card, what lies under it and what is beside it.
const withAll = c => [c, ...[...c.under ?? [], ...c.attached ?? []].flatMap(withAll)];

const open = c => c.card !== null && !c.state?.includes("face-down");

// kinds lists the kinds among cards that lie open, each once.
export const kinds = cards => [...new Set(cards.flatMap(withAll).filter(open).map(c => c.card))];

// openKinds lists those that lie open anywhere on the table.
export const openKinds = view => kinds([view, ...view.seats].flatMap(s => Object.values(s.zones)).flat());
