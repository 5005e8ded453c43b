import type { Task } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { isProtected, isTestFile } from '../src/classify-file.js';
import { createAuditSample } from '../src/testing/index.js';

describe('files of a task', () => {
  const { task } = createAuditSample({
    name: 'guarded',
    verifier: { runner: 'jest', testFiles: ['checks/a.js'], protectedPaths: ['helpers/'], configFile: 'grading.config.js' },
  });
  const scripted: Task = {
    ...task,
    data: { ...task.data, verifier: { kind: 'script', timeoutMs: 1, env: {}, preferredReward: 'reward.json' } },
  };

  it('are protected where grading restores them: tests, named paths and the configuration', () => {
    for (const path of ['checks/a.js', 'helpers/x/y.js', 'grading.config.js']) expect(isProtected(task, path)).toBe(true);
    for (const path of ['checks/b.js', 'helpers.js']) expect(isProtected(task, path)).toBe(false);
  });

  it('are all open to the patch where a script grades, which has its tests elsewhere', () => {
    for (const path of ['checks/a.js', 'helpers/x.js', 'tests/a.py']) expect(isProtected(scripted, path)).toBe(false);
    expect(isTestFile(scripted, 'tests/a.py')).toBe(true);
    expect([isTestFile(task, 'checks/a.js'), isTestFile(scripted, 'checks/a.js')]).toEqual([true, false]);
  });
});
