import type { ShellWord } from './shell-command.js';

/** A command behind the programs that only start it. */
export interface UnwrappedWords {
  readonly words: readonly ShellWord[];
  readonly assignments: readonly { readonly name: string; readonly value: ShellWord }[];
  readonly wrappers: readonly string[];
  /** Folder that a wrapper changes to. */
  readonly directory: string | undefined;
}

/** Options that take a value as their next word, and how many words come before the command. */
const starters: Readonly<Record<string, { readonly valued: RegExp; readonly before?: number }>> = {
  sudo: { valued: /^-[ugUhpCrtTDR]$|^--(user|group)$/ },
  doas: { valued: /^-[uC]$/ },
  env: { valued: /^-[uC]$|^--(unset|chdir)$/ },
  timeout: { valued: /^-[sk]$|^--(signal|kill-after)$/, before: 1 },
  gtimeout: { valued: /^-[sk]$/, before: 1 },
  nice: { valued: /^-n$|^--adjustment$/ },
  ionice: { valued: /^-[cnp]$/ },
  chrt: { valued: /(?!)/, before: 1 },
  taskset: { valued: /(?!)/, before: 1 },
  nohup: { valued: /(?!)/ },
  setsid: { valued: /(?!)/ },
  daemonize: { valued: /^-[acelopu]$/ },
  stdbuf: { valued: /^-[ioe]$/ },
  unbuffer: { valued: /(?!)/ },
  time: { valued: /^-[fo]$/ },
  command: { valued: /(?!)/ },
  builtin: { valued: /(?!)/ },
  exec: { valued: /^-a$/ },
  xargs: { valued: /^-[nPLsEdIa]$|^--(max-args|max-procs|replace|delimiter|arg-file)$/ },
  parallel: { valued: /^-[jNn]$/ },
  watch: { valued: /^-[ndq]$|^--interval$/ },
  flock: { valued: /^-[wE]$/, before: 1 },
  strace: { valued: /^-[oepsEaPuS]$/ },
  ltrace: { valued: /^-[oepsEaPuS]$/ },
  chroot: { valued: /(?!)/, before: 1 },
  unshare: { valued: /(?!)/ },
  busybox: { valued: /(?!)/ },
  toybox: { valued: /(?!)/ },
  npx: { valued: /^(-p|--package)$/ },
  bunx: { valued: /(?!)/ },
  chronic: { valued: /(?!)/ },
  faketime: { valued: /^-f$/, before: 1 },
  runuser: { valued: /^-[ug]$/ },
};

/** Starting programs that stand before one command. */
const mostWrappers = 20;

const pairs = /^((poetry|uv|pipenv|hatch|pdm|conda|rye|mise) (run|exec)|(npm|pnpm|yarn|bundle|direnv) exec|coverage run|git bisect-run)$/;

/** Takes assignments and starting programs off the front of a command. */
export function unwrapWords(words: readonly ShellWord[]): UnwrappedWords {
  let rest = words;
  const assignments: { name: string; value: ShellWord }[] = [];
  const wrappers: string[] = [];
  let directory: string | undefined;
  for (let rounds = 0; rounds < mostWrappers; rounds += 1) {
    const set = wrappers.at(-1) === 'env' ? readAssignment(rest[0]) : undefined;
    if (set) {
      assignments.push(set);
      rest = rest.slice(1);
      continue;
    }
    const after = takeStarter(rest);
    if (!after) break;
    rest = after.words;
    directory = after.directory ?? directory;
    wrappers.push(after.name);
    if (rest.length === 0) return { words, assignments: [], wrappers: [], directory: undefined };
  }
  return { words: rest, assignments, wrappers, directory };
}

/** `name=value` before the command that `env` starts. */
function readAssignment(word: ShellWord | undefined): { name: string; value: ShellWord } | undefined {
  const parts = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word?.value ?? '');
  return word && parts ? { name: parts[1] ?? '', value: { ...word, value: parts[2] ?? '', contentStart: undefined } } : undefined;
}

/** What is left behind one starting program with its options; nothing where the first word is no such program. */
function takeStarter(
  words: readonly ShellWord[],
): { name: string; words: readonly ShellWord[]; directory?: string | undefined } | undefined {
  const first = words[0]?.value ?? '';
  const second = words[1]?.value;
  const name = first.slice(first.lastIndexOf('/') + 1);
  const isPair = pairs.test(`${name} ${second}`);
  const starter = Object.hasOwn(starters, name) ? starters[name] : undefined;
  const asksForName = name === 'command' && /^-[vV]/.test(second ?? '');
  if (!isPair && (!starter || asksForName)) return undefined;
  const after = skipOptions(words.slice(isPair ? 2 : 1), starter?.valued ?? /(?!)/);
  if (after.split) return { name, words: after.split };
  return { name, words: after.words.slice(starter?.before ?? 0), directory: after.directory };
}

function skipOptions(
  words: readonly ShellWord[],
  valued: RegExp,
): { words: readonly ShellWord[]; directory?: string | undefined; split?: readonly ShellWord[] } {
  let at = 0;
  let directory: string | undefined;
  for (let word = words[at]; word?.value.startsWith('-'); word = words[at]) {
    if (word.value === '--') return { words: words.slice(at + 1), directory };
    const next = words[at + 1];
    if (/^(-S|--split-string)$/.test(word.value) && next) {
      const parts = next.value.split(/\s+/).filter((part) => part !== '');
      return { words, split: [...parts.map((value) => ({ ...next, value, contentStart: undefined })), ...words.slice(at + 2)] };
    }
    if (/^(-C|--chdir)$/.test(word.value)) directory = next?.value;
    at += valued.test(word.value) ? 2 : 1;
  }
  return { words: words.slice(at), directory };
}
