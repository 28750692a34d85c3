// Turning points: the greatest swings of the chances in a match.

// A swing is told from so much on, if it has so many standard errors, in so many lines.
const TURN = .1, SURE = 3, LINES = 3;

export const percent = share => Math.round(100 * share);
export const percents = (from, to) => `${percent(from)} → ${percent(to)} %`;
export const isUndone = ({ struck = [] }) => struck.length % 2 === 1;

// turnsOf returns the greatest swings between two inputs that follow each other, in the order of play.
export function turnsOf(steps, chances, most) {
  const swings = chances.slice(1).flatMap(({ n, list }, i) => {
    const step = steps[n - 1], before = chances[i].list;
    if (chances[i].n !== n - 1 || !step.lines?.length || isUndone(step) || /^(un|re)do$/.test(step.event)) return [];
    const by = list.map((one, j) => one.mean - before[j].mean), greatest = Math.max(...by.map(Math.abs));
    const gain = Math.max(...by), j = by.indexOf(gain > greatest - .001 ? gain : -greatest);
    const { seat, mean, error } = list[j], least = Math.max(TURN, SURE * Math.hypot(error, before[j].error));
    return greatest < least ? [] : [{ n, seat, by: greatest, odds: percents(before[j].mean, mean),
      second: step.second, text: step.lines.slice(0, LINES).join(" · ") }];
  });
  return swings.sort((a, b) => b.by - a.by).slice(0, most).sort((a, b) => a.n - b.n);
}
