import { recordNetwork } from './command-network.js';
import type { CommandPlace } from './command-place.js';
import { recordReads } from './command-reads.js';
import type { EventRecorder } from './event-recorder.js';
import { resolvePath } from './paths.js';
import type { ShellCommand } from './shell/shell-command.js';
import { writesOfCommand } from './written-by-command.js';

/** Records what a command does to files, network and environment. */
export function recordCommand(command: ShellCommand, recorder: EventRecorder): void {
  const { source } = command;
  const at: CommandPlace['at'] = (word) => ({ call: source.call, source, evidence: command.cite(word), isRun: source.isRun });
  recorder.add({ ...at(), kind: 'exec', command });
  for (const { name, value } of command.assignments) {
    const isExported = /^(export|declare|typeset|readonly)$/.test(command.name);
    recorder.add({ ...at(value), kind: 'environment', name, value: value.value, isExported });
  }
  for (const { operator, target } of command.redirects)
    if (/^\d?<$/.test(operator))
      recorder.add({ ...at(target), kind: 'read', path: resolvePath({ path: target.value, cwd: command.cwd }), how: 'content' });
  recordReads({ command, recorder, at });
  recordNetwork({ command, recorder, at });
  for (const change of writesOfCommand(command, recorder.readFile)) {
    if (change.how === 'delete') recorder.remove(at(change.word), change.path, change.movedTo);
    else recorder.write(at(change.word), { ...change, how: change.how });
  }
}
