// The recipe as a program: another engine or another sandbox is another `client` or `provider`.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadBasePolicy } from '@tadpole/embedded-policy';
import { createNamespaceProvider } from '@tadpole/task-runtime';
import { climb, createRun, overrideConfiguration, recipeConfiguration, resultText, runResult, writeReportFile } from 'tadpole';

const directory = await mkdtemp(join(tmpdir(), 'tadpole-example-'));
const configuration = overrideConfiguration({
  base: recipeConfiguration('small'),
  overrides: {
    heldOut: { tasks: 6 },
    synthesis: { candidates: 8, tasks: 4 },
    training: { updatesPerIteration: 1, groupsPerUpdate: 2 },
    calibration: { band: [0, 1] },
  },
  source: 'this example',
});
const now = () => new Date();
const store = createRun({ directory: join(directory, 'run'), runId: 'example', configuration, versions: {}, now });
const { client, renderer, close } = await loadBasePolicy();
try {
  const provider = createNamespaceProvider({ scratchDirectory: store.folder('scratch') });
  for await (const event of climb({ store, client, renderer, provider, nodeModules: resolve('node_modules'), now })) {
    if (event.type === 'update-end') console.log(`update ${event.update}: reward ${event.metrics.rewardMean?.toFixed(3)}`);
    if (event.type === 'evaluation-end') console.log(`${event.label}: ${event.passAt1.successes} of ${event.passAt1.trials}`);
  }
} finally {
  await close();
  store.close();
}
console.log(resultText(runResult({ directory: store.directory })));
console.log(`report: ${await writeReportFile({ directory: store.directory })}`);
