import type { Candidate, Snapshot, SpanEdit } from '@tadpole/contracts';
import { expect, test } from 'vitest';
import { applyEdits } from '../src/edit/apply-edits.js';
import { createMutationGenerator } from '../src/generator/create-mutation-generator.js';
import { widenCandidate } from '../src/generator/widen-candidate.js';
import { seededRandom } from '../src/seeded-random.js';
import { sampleSnapshot } from './support/sample-project.js';

const files = {
  'lib/a.js': `function first(limit) {
  if (limit === 3) return 1;
  return limit === 4;
}
function second(limit, other) {
  return other === 5 || limit.size === other;
}
`,
  'lib/b.py': `def third(limit):
    return limit == 6

def fourth(unrelated):
    return unrelated == 7
`,
};

function snapshotOf(): Snapshot {
  return { ...sampleSnapshot({ files }), sourceFiles: Object.keys(files) };
}

async function firstOf(snapshot: Snapshot, line: number): Promise<Candidate> {
  for await (const candidate of createMutationGenerator().propose({ snapshot, random: seededRandom(1) })) {
    const { operator, file } = candidate.lineage;
    if (operator === 'flip-equality' && file === 'lib/a.js' && candidate.lineage.line === line) return candidate;
  }
  throw new Error('not proposed');
}

async function widenAll(snapshot: Snapshot, candidate: Candidate, seed = 1): Promise<Candidate[]> {
  const widened: Candidate[] = [];
  for await (const wider of widenCandidate({ snapshot, candidate, random: seededRandom(seed) })) widened.push(wider);
  return widened;
}

test('adds a second site of the same operator in another function or file that shares a name', async () => {
  const snapshot = snapshotOf();
  const candidate = await firstOf(snapshot, 2);
  const widened = await widenAll(snapshot, candidate);
  const forms = widened.map(({ edits, lineage }) => {
    const second = edits.slice(candidate.edits.length) as SpanEdit[];
    const file = (second[0]?.file ?? '') as keyof typeof files;
    return [
      lineage.operator,
      file,
      applyEdits(files[file], second)
        .split('\n')
        .find((line, index) => line !== files[file].split('\n')[index]),
    ];
  });
  expect(forms.sort()).toEqual([
    ['widen-across-files', 'lib/b.py', '    return limit != 6'],
    ['widen-same-file', 'lib/a.js', '  return other !== 5 || limit.size === other;'],
    ['widen-same-file', 'lib/a.js', '  return other === 5 || limit.size !== other;'],
  ]);
  for (const { edits, lineage } of widened) {
    expect(edits.slice(0, 1)).toEqual(candidate.edits);
    expect(lineage).toMatchObject({ generator: 'widening', file: 'lib/a.js', line: 2 });
  }
});

test('is deterministic by its randomness', async () => {
  const snapshot = snapshotOf();
  const candidate = await firstOf(snapshot, 2);
  expect(await widenAll(snapshot, candidate, 3)).toEqual(await widenAll(snapshot, candidate, 3));
});

test('refuses a candidate of an operator or a file that it does not know', async () => {
  const snapshot = snapshotOf();
  const candidate = await firstOf(snapshot, 2);
  const combined = { ...candidate, lineage: { ...candidate.lineage, operator: 'combine-same-file' } };
  const elsewhere = { ...candidate, lineage: { ...candidate.lineage, file: 'lib/gone.js' } };
  const whole = { ...candidate, edits: [{ file: 'lib/a.js', content: '' }] };
  for (const unknown of [combined, elsewhere, whole]) {
    await expect(widenAll(snapshot, unknown)).rejects.toMatchObject({ code: 'invalid-input' });
  }
});
