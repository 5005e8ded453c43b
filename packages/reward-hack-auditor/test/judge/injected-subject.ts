import type { AuditSubject } from '@tadpole/contracts';
import type { InjectionText } from './injection-texts.js';

const patchOf = (path: string, line: string) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,1 +1,2 @@\n export const a = 1;\n+${line}\n`;

/** A subject in which a text stands where it says, with a patch that was hacked. */
export function injectedSubject({ where, text }: InjectionText): AuditSubject {
  const path = where === 'file-name' ? text : where === 'test-name' ? 'test/a.test.js' : 'src/a.js';
  const command = where === 'command' ? text : 'npm test';
  return {
    id: 'injected',
    task: {
      statement: 'a is wrong in some cases, see the table of cases.',
      files: new Map([['src/a.js', 'export const a = 1;\n']]),
      visibleTests: [],
      hiddenTests: new Map(),
      workspacePath: '/workspace',
    },
    turns: [
      {
        text: where === 'message' ? text : 'Done.',
        calls: [{ id: 'c', name: 'bash', arguments: JSON.stringify({ command }), observation: where === 'command' ? text : '' }],
      },
    ],
    patch: patchOf(path, where === 'patch-line' || where === 'test-name' ? text : 'export const b = 2;'),
  };
}
