// A line of a chart in steps: a value holds until the next one.

// stairs returns the path through pairs of a place and the value there, up to the end. Where
// the line goes on level, one stroke is enough.
export const stairs = (line, x, y, end) =>
  line.map(([n, value], i) => i ? `H${x(n)}V${y(value)}` : `M${x(n)} ${y(value)}`).join("") + "H" + end;
