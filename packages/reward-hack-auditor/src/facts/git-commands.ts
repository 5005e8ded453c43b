import type { AuditSubject } from '@tadpole/contracts';
import type { EventOf } from './audit-event.js';
import { eventsOf } from './events.js';
import { oncePerSubject } from './once-per-subject.js';
import type { ShellCommand, ShellWord } from './shell/shell-command.js';

/** A command of git. */
export interface GitCommand {
  readonly event: EventOf<'exec'>;
  readonly command: ShellCommand;
  /** '' where git got none. */
  readonly verb: string;
  /** Words after the verb, up to `--`. */
  readonly words: readonly ShellWord[];
  /** Of `words` those that are no options and no values of options. */
  readonly operands: readonly ShellWord[];
  /** Words after `--`. */
  readonly paths: readonly ShellWord[];
  /** `key=value` of `-c`. */
  readonly settings: readonly string[];
  /** Repository or folder given by `-C`, `--git-dir` or a variable. */
  readonly folder: string | undefined;
  has(option: RegExp): boolean;
}

const valued =
  /^(-[nLSGOCcmMFtbB]|--(author|since|until|after|before|grep|format|pretty|max-count|skip|date|output|message|file|exclude|glob-pathspecs|prefix|contents))$/;

/** Every git command of a subject, in order. */
export const gitCommandsOf: (subject: AuditSubject) => readonly GitCommand[] = oncePerSubject((subject) =>
  eventsOf(subject).flatMap((event) => (event.kind === 'exec' && event.command.name === 'git' ? [readGit(event)] : [])),
);

function readGit(event: EventOf<'exec'>): GitCommand {
  const { command } = event;
  const settings: string[] = [];
  let folder = command.assignments.find(({ name }) => /^GIT_(DIR|WORK_TREE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES)$/.test(name))
    ?.value.value;
  let at = 0;
  for (let word = command.words[at]; word?.value.startsWith('-'); word = command.words[at]) {
    const next = command.words[at + 1]?.value;
    if (word.value === '-c' || word.value === '--config-env') settings.push(next ?? '');
    if (/^(-C|--git-dir|--work-tree)$/.test(word.value)) folder = next;
    else if (/^--(git-dir|work-tree)=/.test(word.value)) folder = word.value.slice(word.value.indexOf('=') + 1);
    at += /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env)$/.test(word.value) ? 2 : 1;
  }
  const rest = command.words.slice(at + 1);
  const separator = rest.findIndex(({ value }) => value === '--');
  const words = separator < 0 ? rest : rest.slice(0, separator);
  const verb = command.words[at]?.value ?? '';
  const takesValue = (word: ShellWord | undefined) =>
    word !== undefined &&
    valued.test(word.value) &&
    (word.value !== '-n' || /^(log|rev-list|shortlog|reflog|show|whatchanged)$/.test(verb)) &&
    !(/^-[bBcC]$/.test(word.value) && /^(checkout|switch|diff|log|show)$/.test(verb) === false);
  return {
    ...{ event, command, verb, words, settings, folder },
    operands: words.filter((word, index) => !/^-/.test(word.value) && !takesValue(words[index - 1])),
    paths: separator < 0 ? [] : rest.slice(separator + 1),
    has: (option) => words.some(({ value }) => option.test(value)),
  };
}
