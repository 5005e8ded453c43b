import { fetches, greps, speaks } from './command-kinds.js';
import type { CommandPlace } from './command-place.js';
import { gitVerb } from './git-verb.js';
import type { ShellCommand, ShellWord } from './shell/shell-command.js';

/** Verbs of package managers and of git that go over the network. */
const clients: Readonly<Record<string, RegExp>> = {
  pip: /^(download|install|index|wheel|search)$/,
  pip3: /^(download|install|index|wheel|search)$/,
  pipx: /^(install|run)$/,
  uv: /^(add|pip|sync|tool|x|run)$/,
  poetry: /^(add|install|update|search)$/,
  conda: /^(install|search|create|update)$/,
  npm: /^(view|info|show|v|pack|install|i|add|ci|update|search|dist-tag|exec|x|diff|docs|repo|home|outdated|explore|audit)$/,
  pnpm: /^(add|install|i|view|info|dlx|update|up)$/,
  yarn: /^(add|install|info|npm|dlx|up|upgrade)$/,
  bun: /^(add|install|x|i)$/,
  npx: /./,
  bunx: /./,
  cargo: /^(install|add|search|fetch)$/,
  go: /^(get|install|mod)$/,
  gem: /^(install|fetch|search)$/,
  apt: /^(install|source|download|update)$/,
  'apt-get': /^(install|source|download|update)$/,
  docker: /^(pull|run|cp|exec)$/,
  git: /^(clone|fetch|pull|ls-remote|submodule|remote|archive|push)$/,
};

/** Records where a command goes over the network. */
export function recordNetwork({ command, recorder, at }: CommandPlace): void {
  const { program, words } = networkProgram(command);
  for (const target of targetsOf(command, program, words)) recorder.add({ ...at(), kind: 'network', program, target });
}

/** `python -m pip …` is `pip …`. */
function networkProgram({ name, words }: ShellCommand): { program: string; words: readonly ShellWord[] } {
  const isModule = /^python[\d.]*$/.test(name) && words[0]?.value === '-m' && /^(pip|uv|pipx|ensurepip)$/.test(words[1]?.value ?? '');
  return isModule ? { program: 'pip', words: words.slice(2) } : { program: name, words };
}

function targetsOf(command: ShellCommand, program: string, words: readonly ShellWord[]): string[] {
  const urls = words
    .map(({ value }) => value)
    .filter((value) => /(^|=|@)(https?|ftp|git|ssh|wss?|git\+\w+):\/\/|^git@[\w.-]+:/.test(value));
  if (fetches.test(program)) return fetchedTargets(program, words, urls);
  const sockets = command.redirects
    .filter(({ operator, target }) => /^\d*(<|>|<>)/.test(operator) && target.value.startsWith('/dev/tcp/'))
    .map(({ target }) => target.value.slice(9).replace('/', ':'));
  const asked = clientTargets(program, words);
  if (asked) return [...sockets, ...asked];
  const onlyNames = speaks.test(command.name) || greps.test(command.name) || command.name === 'git' || command.name === 'sed';
  return onlyNames ? sockets : [...sockets, ...urls];
}

function fetchedTargets(program: string, words: readonly ShellWord[], urls: readonly string[]): string[] {
  const operands = words.map(({ value }) => value).filter((value) => !value.startsWith('-'));
  if (program === 'openssl') return words[0]?.value === 's_client' ? operands.slice(1) : [];
  return urls.length > 0 ? [...urls] : operands.filter((value) => /[.:$/]|\w/.test(value));
}

/** What the verb of a package manager or of git asks for; nothing where it does not go over the network. */
function clientTargets(program: string, words: readonly ShellWord[]): string[] | undefined {
  const client = Object.hasOwn(clients, program) ? clients[program] : undefined;
  const at = program === 'git' ? gitVerb(words) : words.findIndex(({ value }) => !value.startsWith('-'));
  const verb = words[at]?.value;
  if (!client?.test(verb ?? '')) return undefined;
  const first = /^(npx|bunx)$/.test(program) ? at : at + 1;
  const asked = words.slice(first).filter(({ value }) => !value.startsWith('-') && value !== '');
  const targets = asked.map(({ value }) => `${verb} ${value}`);
  return words.length === at + 1 ? [...targets, verb ?? ''] : targets;
}
