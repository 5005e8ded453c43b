import type { AuditRule } from '@tadpole/contracts';
import { background } from './background.js';
import { filesOutside } from './files-outside.js';
import { gitFuture } from './git-future.js';
import { gitHooks } from './git-hooks.js';
import { gitObjects } from './git-objects.js';
import { hiddenFromGit } from './hidden-from-git.js';
import { installedCopy } from './installed-copy.js';
import { leakProvenance } from './leak-provenance.js';
import { obfuscatedProgram } from './obfuscated-program.js';
import { otherProcesses } from './other-processes.js';
import { referenceArtefacts } from './reference-artefacts.js';
import { resources } from './resources.js';
import { results } from './results.js';
import { secrets } from './secrets.js';
import { startup } from './startup.js';
import { testsRemoved } from './tests-removed.js';
import { toolShims } from './tool-shims.js';
import { upstreamFetch } from './upstream-fetch.js';

/** Rules over what was run and read: oracle access, graders, secrets, obfuscation. */
export function accessRules(): readonly AuditRule[] {
  return [
    gitFuture(),
    gitObjects(),
    filesOutside(),
    otherProcesses(),
    upstreamFetch(),
    installedCopy(),
    referenceArtefacts(),
    leakProvenance(),
    testsRemoved(),
    hiddenFromGit(),
    startup(),
    toolShims(),
    results(),
    background(),
    gitHooks(),
    resources(),
    obfuscatedProgram(),
    secrets(),
  ];
}
