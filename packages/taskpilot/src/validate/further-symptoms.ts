import type { TestResult } from '@tadpole/contracts';
import type { StatementFacts } from '../statement/write-statement.js';
import { chooseSymptom } from './choose-symptom.js';
import { Refusal } from './validation.js';

/**
 * A failure of every bug but the one whose failure the statement tells already, and one of what fails beside them all, so that a
 * statement leaves none of them out. Throws {@link Refusal} where nothing fails that a part broke by itself, or says nothing stable.
 */
export function furtherSymptoms(options: {
  /** Fail-to-pass tests of each part by itself. @default one bug */
  partTests: readonly (readonly string[])[] | undefined;
  buggy: { readonly first: readonly TestResult[]; readonly second: readonly TestResult[] };
  /** Name of the test whose failure is told already. */
  told: string | undefined;
}): Pick<StatementFacts, 'further'> {
  const { partTests = [], buggy, told } = options;
  if (partTests.length === 0) return {};
  const known = new Set(partTests.flat());
  const groups = partTests.map((ids, index) => ({ label: `part ${index + 1}`, failing: failingOf(ids) }));
  const rest = failingAmong((id) => !known.has(id));
  const all = rest.first.length === 0 ? groups : [...groups, { label: 'the rest', failing: rest }];
  const further = all.flatMap(({ label, failing }) => {
    if (failing.first.length === 0) throw refusal('not-killed', `no test that ${label} breaks alone fails`);
    if (failing.first.some(({ name }) => name === told)) return [];
    const symptom = chooseSymptom(failing);
    if (symptom === null) throw refusal('under-specified', `no failure of ${label} was reported the same twice`);
    return [symptom];
  });
  const distinct = [...new Map(further.map((symptom) => [symptom.testName, symptom])).values()];
  return distinct.length === 0 ? {} : { further: distinct };

  /** Tests that no other part breaks tell more of it than those that several do. */
  function failingOf(ids: readonly string[]) {
    const own = failingAmong((id) => ids.includes(id) && partTests.filter((tests) => tests.includes(id)).length === 1);
    return own.first.length > 0 ? own : failingAmong((id) => ids.includes(id));
  }

  function failingAmong(isOne: (id: string) => boolean) {
    return { first: buggy.first.filter(({ id }) => isOne(id)), second: buggy.second.filter(({ id }) => isOne(id)) };
  }
}

function refusal(reason: 'not-killed' | 'under-specified', detail: string): Refusal {
  return new Refusal({ reason, detail, gate: 'statement-is-true' });
}
