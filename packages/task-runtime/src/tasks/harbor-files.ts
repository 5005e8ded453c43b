import type { Lineage, TaskData, TestsVerifier } from '@tadpole/contracts';
import { stringify } from 'smol-toml';
import { restoredPaths } from '../grading/grade-by-tests.js';
import { gradingPreparation, quote } from '../grading/grading-preparation.js';
import { runsInNode } from '../grading/test-runners.js';

/** Version of Harbor's task schema that is written. */
const harborSchemaVersion = '1.4';

function describeLineage(lineage: Lineage): string {
  if (lineage.kind === 'generated') return `Repair ${lineage.source}`;
  return lineage.kind === 'imported' ? `${lineage.instanceId} of ${lineage.format}` : `By ${lineage.author}`;
}

/** `task.toml`: Harbor's own keys for its runners, and the typed task in `[metadata.tadpole]` (the instruction has its own file). */
export function taskManifest(data: TaskData): string {
  const { instruction: _, ...tadpole } = data;
  const { verifier, environment, lineage } = data;
  const seconds = Math.ceil(verifier.timeoutMs / 1000);
  return stringify({
    schema_version: harborSchemaVersion,
    task: {
      name: `tadpole/${data.id}`,
      description: describeLineage(lineage),
      keywords: ['tadpole', verifier.kind === 'tests' ? verifier.runner : verifier.kind],
    },
    metadata: { tadpole: JSON.parse(JSON.stringify(tadpole)) },
    agent: { network_mode: 'no-network' },
    verifier: {
      // Laying files down comes on top of the time that tests have; a script's time is all of it.
      timeout_sec: verifier.kind === 'tests' ? seconds + 60 : seconds,
      ...(verifier.kind === 'script' ? { env: verifier.env } : {}),
      environment_mode: 'shared',
      network_mode: 'no-network',
    },
    environment: {
      build_timeout_sec: 600,
      workdir: environment.workspacePath,
      cpus: 1,
      memory_mb: Math.ceil(data.limits.memoryBytes / 1_048_576),
      network_mode: 'no-network',
      ...(environment.env === undefined ? {} : { env: environment.env }),
    },
  });
}

/**
 * The task's image with the workspace as one fresh commit. Without an image of its own it is Debian with Node.js, git
 * and the task's packages at `/node_modules`. Named tests are graded by Node.js, which an own image gets as one file.
 */
export function dockerfile(data: TaskData): string {
  const { dependencies, workspacePath, image } = data.environment;
  const packages = dependencies.map(({ name, version }) => quote(`${name}@${version}`)).join(' ');
  const needsPytest = data.verifier.kind === 'tests' && data.verifier.runner === 'pytest' && image === undefined;
  return [
    `FROM ${image ?? 'node:20-bookworm'}`,
    ...(image !== undefined && data.verifier.kind === 'tests'
      ? ['COPY --from=node:20-bookworm /usr/local/bin/node /usr/local/bin/node']
      : []),
    ...(needsPytest ? ['RUN apt-get update && apt-get install -y --no-install-recommends python3-pytest'] : []),
    ...(packages === '' ? [] : [`RUN npm install --prefix / --no-save --no-audit --no-fund --ignore-scripts ${packages}`]),
    `COPY workspace/ ${workspacePath}/`,
    `WORKDIR ${workspacePath}`,
    `RUN git init -q && git add -A -f && git -c user.name=Tadpole -c user.email=tadpole@localhost commit -q --allow-empty -m Base`,
    '',
  ].join('\n');
}

/** `tests/test.sh`: restores protected files, lays the hidden ones down and grades. Harbor puts the folder at `/tests`. */
export function testScript(options: {
  data: TaskData;
  verifier: TestsVerifier;
  hiddenFiles: readonly string[];
  baseFiles: readonly string[];
}): string {
  const { verifier, hiddenFiles, baseFiles } = options;
  const preparation = gradingPreparation({
    ...{ base: '/tests/protected', hidden: '/tests/hidden', restoredPaths: restoredPaths(options), hiddenFiles, baseFiles },
    settlePackageNames: runsInNode(verifier.runner) ? '/tests/runner/settle-package-names.mjs' : undefined,
  });
  return `#!/bin/bash
cd ${quote(options.data.environment.workspacePath)} || exit 1
${preparation}
exec node /tests/runner/harbor-grade.mjs /logs/verifier
`;
}

/** `solution/solve.sh`: applies the gold patch. Harbor puts the folder at `/solution`. */
export function solveScript(data: TaskData): string {
  return `#!/bin/bash
cd ${quote(data.environment.workspacePath)} && git apply --whitespace=nowarn /solution/gold.patch
`;
}
