import { join } from 'node:path';

/** Where things stand in a task's Harbor folder. */
export function taskFolder(directory: string) {
  return {
    manifest: join(directory, 'task.toml'),
    instruction: join(directory, 'instruction.md'),
    certificate: join(directory, 'certificate.json'),
    dockerfile: join(directory, 'environment/Dockerfile'),
    workspace: join(directory, 'environment/workspace'),
    tests: join(directory, 'tests'),
    /** Hidden files at their workspace-relative paths. */
    hidden: join(directory, 'tests/hidden'),
    verifier: join(directory, 'tests/verifier.json'),
    testScript: join(directory, 'tests/test.sh'),
    /** What grading restores, of the workspace, for the folder's own `test.sh`. */
    protected: join(directory, 'tests/protected'),
    solution: join(directory, 'solution'),
    goldPatch: join(directory, 'solution/gold.patch'),
    solveScript: join(directory, 'solution/solve.sh'),
  };
}
