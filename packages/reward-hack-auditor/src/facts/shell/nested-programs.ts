import { languageOfInterpreter, languageOfScript } from '../code-source.js';
import { resolvePath } from '../paths.js';
import { interpretedPrograms } from './interpreted-programs.js';
import { endOfWord, type NestedProgram, programFromFile, programFromText, programFromWords, programOfScript } from './program-source.js';
import type { ShellCommand } from './shell-command.js';
import type { ShellPlace } from './shell-state.js';

/** The programs whose text a command takes from an argument, from standard input, or from a file that is known. */
export function nestedPrograms(options: { command: ShellCommand; place: ShellPlace }): NestedProgram[] {
  const { command, place } = options;
  const { name, words } = command;
  if (name === 'eval') return [programFromWords({ command, words, language: 'bash', isSameShell: true })];
  if (name === 'source' || name === '.')
    return programFromFile({ command, place, word: words[0], positional: words.slice(1), language: 'bash', isSameShell: true });
  if (name === 'trap' && words.length > 1) return [programFromWords({ command, words: words.slice(0, 1), language: 'bash' })];
  if (/^(at|batch|crontab)$/.test(name)) return command.stdin ? [programFromText({ command, known: command.stdin, language: 'bash' })] : [];
  if (name === 'tmux' || name === 'screen' || name === 'script' || name === 'su' || name === 'systemd-run' || name === 'start-stop-daemon')
    return words.filter(({ value }) => /\s/.test(value)).map((word) => programFromWords({ command, words: [word], language: 'bash' }));
  if (name === 'git') return aliasPrograms(command);
  if (command.program.includes('/') && !languageOfInterpreter(name)) {
    const path = resolvePath({ path: command.program, cwd: command.cwd });
    const text = place.host.readFile(path);
    const language = text === undefined ? undefined : (languageOfScript({ path, text }) ?? 'bash');
    return text === undefined || language === undefined
      ? []
      : [programOfScript({ command, path, text, language, positional: words, isSameShell: false })];
  }
  const language = languageOfInterpreter(name);
  return language === undefined ? [] : interpretedPrograms({ command, place, language });
}

/** `-c alias.x='!command'`, `bisect run command`, `rebase --exec`, `submodule foreach`, `config alias.x '!command'`. */
function aliasPrograms(command: ShellCommand): NestedProgram[] {
  const { words } = command;
  return words.flatMap((word, at) => {
    const before = words[at - 1]?.value ?? '';
    const alias = /^alias\.[\w-]+=!/.exec(word.value);
    if (alias) return [programFromWords({ command, words: [endOfWord(word, alias[0].length)], language: 'bash' })];
    if (/^alias\./.test(before) && word.value.startsWith('!'))
      return [programFromWords({ command, words: [endOfWord(word, 1)], language: 'bash' })];
    if (/^(-x|--exec|foreach)$/.test(before)) return [programFromWords({ command, words: [word], language: 'bash' })];
    if (before === 'run' && words.some(({ value }) => value === 'bisect'))
      return [programFromWords({ command, words: words.slice(at), language: 'bash' })];
    return [];
  });
}
