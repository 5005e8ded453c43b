import type { TaskData } from '@tadpole/contracts';
import { stringify } from 'smol-toml';
import { gradingPreparation, quote } from './grading-preparation.js';

/** Version of Harbor's task schema that is written. */
const harborSchemaVersion = '1.4';

/** `task.toml`: Harbor's own keys for its runners, and the typed task in `[metadata.tadpole]` (the instruction has its own file). */
export function taskManifest(data: TaskData): string {
  const { instruction: _, ...tadpole } = data;
  const verifierSeconds = Math.ceil(data.verifier.timeoutMs / 1000) + 60;
  return stringify({
    schema_version: harborSchemaVersion,
    task: { name: `tadpole/${data.id}`, description: `Repair ${data.lineage.source}`, keywords: ['tadpole', data.verifier.runner] },
    metadata: { tadpole: JSON.parse(JSON.stringify(tadpole)) },
    agent: { network_mode: 'no-network' },
    verifier: { timeout_sec: verifierSeconds, environment_mode: 'shared', network_mode: 'no-network' },
    environment: {
      build_timeout_sec: 600,
      workdir: data.environment.workspacePath,
      cpus: 1,
      memory_mb: Math.ceil(data.limits.memoryBytes / 1_048_576),
      network_mode: 'no-network',
    },
  });
}

/** An image with Node.js, git, the task's packages at `/node_modules` and the workspace as one fresh commit. */
export function dockerfile(data: TaskData): string {
  const { dependencies, workspacePath } = data.environment;
  const packages = dependencies.map(({ name, version }) => quote(`${name}@${version}`)).join(' ');
  return [
    'FROM node:20-bookworm',
    ...(packages === '' ? [] : [`RUN npm install --prefix / --no-save --no-audit --no-fund --ignore-scripts ${packages}`]),
    `COPY workspace/ ${workspacePath}/`,
    `WORKDIR ${workspacePath}`,
    `RUN git init -q && git add -A -f && git -c user.name=Tadpole -c user.email=tadpole@localhost commit -q --allow-empty -m Base`,
    '',
  ].join('\n');
}

/** `tests/test.sh`: restores protected files, lays the hidden ones down and grades. Harbor puts the folder at `/tests`. */
export function testScript(options: { data: TaskData; hiddenFiles: readonly string[] }): string {
  const { verifier, environment } = options.data;
  return `#!/bin/bash
cd ${quote(environment.workspacePath)} || exit 1
${gradingPreparation({ base: '/tests/protected', hidden: '/tests/hidden', protectedPaths: verifier.protectedPaths, hiddenFiles: options.hiddenFiles })}
exec node /tests/runner/harbor-grade.mjs /logs/verifier
`;
}

/** `solution/solve.sh`: applies the gold patch. Harbor puts the folder at `/solution`. */
export function solveScript(data: TaskData): string {
  return `#!/bin/bash
cd ${quote(data.environment.workspacePath)} && git apply --whitespace=nowarn /solution/gold.patch
`;
}
