/** JSON with the keys of every object sorted, so that equal values give equal text. `undefined` members are left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}
