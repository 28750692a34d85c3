// JSON Patch (RFC 6902), as far as the table uses it.

// patched returns a value with the operations of a patch applied. What does not change
// is shared with the old value, which stays as it was.
export const patched = (value, patch) => patch.reduce((now, op) =>
  changed(now, op.path.split("/").slice(1).map(name => name.replaceAll("~1", "/").replaceAll("~0", "~")), op), value);

function changed(value, [name, ...rest], op) {
  if (name === undefined) return op.value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  if (!rest.length && op.op === "remove") delete copy[name];
  else copy[name] = changed(copy[name], rest, op);
  return copy;
}
