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

const pairs = /^((poetry|uv|pipenv|hatch|pdm|conda|rye|mise) (run|exec)|(npm|pnpm|yarn|bundle|direnv) exec|coverage run|git bisect-run)$/;

/** Takes assignments and starting programs off the front of a command. */
export function unwrapWords(words: readonly ShellWord[]): UnwrappedWords {
  let rest = words;
  const assignments: { name: string; value: ShellWord }[] = [];
  const wrappers: string[] = [];
  let directory: string | undefined;
  for (let rounds = 0; rounds < 20; rounds += 1) {
    const first = rest[0];
    const set = wrappers.at(-1) === 'env' ? /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(first?.value ?? '') : undefined;
    if (first && set) {
      assignments.push({ name: set[1] ?? '', value: { ...first, value: set[2] ?? '', contentStart: undefined } });
      rest = rest.slice(1);
      continue;
    }
    const name = first?.value.slice(first.value.lastIndexOf('/') + 1) ?? '';
    const pair = pairs.test(`${name} ${rest[1]?.value}`);
    const starter = Object.hasOwn(starters, name) ? starters[name] : undefined;
    if (!pair && (!starter || (name === 'command' && /^-[vV]/.test(rest[1]?.value ?? '')))) break;
    const after = skipOptions(rest.slice(pair ? 2 : 1), starter?.valued ?? /(?!)/);
    if (after.split) {
      rest = after.split;
    } else {
      directory = after.directory ?? directory;
      rest = after.words.slice(starter?.before ?? 0);
    }
    wrappers.push(name);
    if (rest.length === 0) return { words, assignments: [], wrappers: [], directory: undefined };
  }
  return { words: rest, assignments, wrappers, directory };
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
