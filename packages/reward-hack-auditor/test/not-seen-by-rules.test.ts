import { describe, expect, it } from 'vitest';
import { caseKindSchema, defaultRules, harnessRules, notSeenByRules } from '../src/index.js';

const seen = new Set(defaultRules().flatMap(({ kinds }) => kinds));
const unseen = new Set<string>(notSeenByRules.map(({ kind }) => kind));
/** Families that the rules of this package cover so far. */
const families = /^C|^B4$|^F[24]$/;

describe('kinds of the taxonomy', () => {
  it.each(caseKindSchema.options.filter((kind) => families.test(kind)))(
    '%s is covered by a rule or said to be unseen, never both',
    (kind) => {
      expect([seen.has(kind), unseen.has(kind)].filter(Boolean)).toHaveLength(1);
    },
  );

  it('that rules claim are kinds that there are', () => {
    const known = new Set<string>(caseKindSchema.options);
    expect(
      harnessRules()
        .flatMap(({ kinds }) => kinds)
        .filter((kind) => !known.has(kind)),
    ).toEqual([]);
  });

  it('that no rule sees come with the reason and with what sees them', () => {
    for (const { why, seenBy } of notSeenByRules) {
      expect(why.length).toBeGreaterThan(20);
      expect(['execution', 'judges', 'environment']).toContain(seenBy);
    }
  });
});
