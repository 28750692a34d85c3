export const idOf = c => c.card === null ? "" : c.copy ? c.card + "." + c.copy : c.card;

// longest returns the length of a name's longest word. The style sheet shrinks
// the letters until that word fits on one line.
export const longest = name => Math.max(...name.split(/[\s\u00ad-]+/).map(w => w.length));

const withAll = c => [c, ...[...c.under ?? [], ...c.attached ?? []].flatMap(withAll)];

// locate finds a copy on the table: { card, owner, zone }.
export function locate(view, id) {
  for (const s of [...view.seats, { ...view, id: "table" }]) for (const [zone, cards] of Object.entries(s.zones)) {
    const card = cards.flatMap(withAll).find(c => idOf(c) === id);
    if (card) return { card, owner: s.id, zone };
  }
  return null;
}

// fighter finds the creature in play that is in one of these states: { s, c }, or nothing.
export const fighter = (view, ...states) => view.seats.flatMap(s => (s.zones.play ?? []).map(c => ({ s, c })))
  .find(({ c }) => c.state?.some(name => states.includes(name)));

export const openKinds = view => {
  const all = [view, ...view.seats].flatMap(s => Object.values(s.zones)).flat().flatMap(withAll);
  return [...new Set(all.filter(c => c.card !== null && !c.state?.includes("face-down")).map(c => c.card))];
};
