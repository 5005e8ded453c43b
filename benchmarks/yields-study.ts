import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createNamespaceProvider } from '@tadpole/task-runtime';
import { fetchSeedRepositories } from './seed-repositories.js';
import { createCpuMeter } from './yields/cpu-meter.js';
import { openForYields } from './yields/open-for-yields.js';
import { type CandidateRecord, defaultControls, validateSample } from './yields/validate-sample.js';
import { type RepositoryYield, summarise, yieldsByOperator, yieldsByRepository } from './yields/yield-tables.js';

/**
 * Opens seed repositories, proposes bugs by every operator of the procedural generator, validates a seeded sample of so many of each
 * operator by the gates and controls of `tadpole synth`, and prints how many are valid, by repository and by operator, with
 * why the others are not, and the processor time of the tests.
 */
export async function yieldsStudy(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      /** Parts of names, of any seed repositories. */
      only: { type: 'string', default: 'toolz,qs,find-my-way,zod' },
      'per-operator': { type: 'string', default: '2' },
      seed: { type: 'string', default: '1' },
      /** Leaves out wrong fixes and right ones in another form. */
      'without-controls': { type: 'boolean', default: false },
      /** A file to which every candidate is appended as one line of JSON. */
      records: { type: 'string', default: '' },
    },
  });
  const [perOperator, seed] = [Number(values['per-operator']), Number(values.seed)];
  const controls = values['without-controls'] ? {} : defaultControls();
  const folder = await mkdtemp(join(tmpdir(), 'tadpole-yields-'));
  const provider = createNamespaceProvider({ scratchDirectory: join(folder, 'scratch') });
  const rows: RepositoryYield[] = [];
  try {
    const seeds = await fetchSeedRepositories({ names: values.only.split(','), into: folder });
    for (const { name, directory } of seeds.repositories) {
      const meter = createCpuMeter(provider);
      const opened = await openForYields({ ...seeds, name, directory, meter, into: folder });
      const { snapshot, suiteSeconds } = opened;
      const openingSeconds = meter.seconds();
      const records: CandidateRecord[] = [];
      for await (const record of validateSample({ ...opened, perOperator, seed, controls, cpuSeconds: meter.seconds })) {
        records.push(record);
        process.stderr.write(
          `${record.repository} ${record.operator} ${record.place}: ${record.outcome}, ${record.cpuSeconds.toFixed(1)} s\n`,
        );
        if (values.records !== '') await appendFile(values.records, `${JSON.stringify(record)}\n`);
      }
      rows.push({ name: snapshot.source, tests: snapshot.baseline.length, suiteSeconds, openingSeconds, records });
    }
  } finally {
    await provider.disposeAll();
    await rm(folder, { recursive: true, force: true });
  }
  process.stdout.write(`${yieldsByRepository(rows)}\n\n${yieldsByOperator(rows)}\n${JSON.stringify(summarise(rows))}\n`);
}
