import type { Evidence } from '@tadpole/contracts';
import type { EventOrigin, EventRecorder } from './event-recorder.js';
import { resolvePath } from './paths.js';
import { findPattern } from './shell/known-output.js';
import type { ShellCommand, ShellWord } from './shell/shell-command.js';
import { writesOfCommand } from './written-by-command.js';

/** Commands whose words are texts or names, never files that are read. */
const speaks =
  /^(|echo|printf|export|declare|local|readonly|typeset|unset|cd|pushd|set|shopt|true|false|exit|return|sleep|kill|pkill|mkdir|alias|trap|read|seq|wait|type|which|whereis|command|hash|basename|dirname|eval)$/;
const searches =
  /^(find|gfind|fd|fdfind|ls|dir|tree|locate|plocate|mlocate|updatedb|du|stat|file|test|\[|exa|eza|realpath|readlink|namei)$/;
const greps = /^(grep|egrep|fgrep|zgrep|rg|ag|ack|ripgrep)$/;
const fetches =
  /^(curl|wget|aria2c|http|https|xh|nc|ncat|netcat|telnet|ftp|sftp|scp|rsync|ssh|lynx|w3m|links|gh|glab|hub|dig|nslookup|host|ping|socat|openssl|huggingface-cli|hf|aws|gcloud|gsutil|az)$/;

/** Records what a command does to files, network and environment. */
export function recordCommand(command: ShellCommand, recorder: EventRecorder): void {
  const at = (evidence: Evidence): EventOrigin => ({
    call: command.source.call,
    source: command.source,
    evidence,
    isRun: command.source.isRun,
  });
  const here = at(command.cite());
  recorder.add({ ...here, kind: 'exec', command });
  for (const { name, value } of command.assignments) {
    const isExported = /^(export|declare|typeset|readonly)$/.test(command.name);
    recorder.add({ ...at(command.cite(value)), kind: 'environment', name, value: value.value, isExported });
  }
  for (const { operator, target } of command.redirects) {
    if (!/^\d?<$/.test(operator)) continue;
    recorder.add({
      ...at(command.cite(target)),
      kind: 'read',
      path: resolvePath({ path: target.value, cwd: command.cwd }),
      how: 'content',
    });
  }
  recordReads(command, recorder, at);
  recordNetwork(command, recorder, at);
  for (const change of writesOfCommand(command, recorder.readFile)) {
    const origin = at(change.word ? command.cite(change.word) : command.cite());
    if (change.how === 'delete') recorder.remove(origin, change.path, change.movedTo);
    else recorder.write(origin, { ...change, how: change.how });
  }
}

type At = (evidence: Evidence) => EventOrigin;

function recordReads(command: ShellCommand, recorder: EventRecorder, at: At): void {
  const { name, words, cwd } = command;
  const read = (word: ShellWord, how: 'content' | 'mention', value = word.value) =>
    recorder.add({ ...at(command.cite(word)), kind: 'read', path: resolvePath({ path: value, cwd }), how });
  if (speaks.test(name)) {
    for (const word of name === 'cd' || name === 'pushd' ? words : []) {
      if (!word.value.startsWith('-'))
        recorder.add({ ...at(command.cite(word)), kind: 'search', path: resolvePath({ path: word.value, cwd }), names: [] });
    }
    return;
  }
  if (searches.test(name)) {
    recordSearch(command, recorder, at);
    return;
  }
  let rest = words;
  if (greps.test(name) || name === 'sed' || name === 'awk' || name === 'gawk' || name === 'jq') rest = recordPattern(command, recorder, at);
  if (name === 'git') {
    const verb = gitVerb(words);
    if (!/^(apply|am)$/.test(words[verb]?.value ?? '') && !words.some(({ value }) => value === '--no-index')) return;
    for (const word of words.slice(verb + 1)) if (!word.value.startsWith('-')) read(word, 'content');
    return;
  }
  if (/^(cp|mv|ln|install|rsync|scp)$/.test(name) && words.length > 1 && !words.some(({ value }) => /^(-t|--target-directory)/.test(value)))
    rest = words.slice(0, -1);
  for (const word of rest) {
    const value = /^--?[\w-]+=(.*)$/.exec(word.value)?.[1] ?? word.value.replace(/^[\w-]+=(?=[/~.])/, '').replace(/^@(?=[/~.$])/, '');
    if (value.startsWith('-') || value.length > 4000 || /^\w+:\/\//.test(value) || value.includes('\n')) continue;
    const isPath =
      /^[/~]|\/|^\.{1,2}$/.test(value) || recorder.readFile(resolvePath({ path: value, cwd })) !== undefined || /^\$\w+/.test(value);
    const isReader =
      /^(cat|less|more|head|tail|nl|od|xxd|hexdump|strings|tac|bat|batcat|diff|cmp|comm|sort|uniq|cut|wc|jq|zcat|zless|base64|md5sum|sha\d+sum|paste|fold|column|tar|unzip|zipinfo|7z|cp|mv|ln|install|view|vim?|ed|nano|source|\.|git|patch|rev|iconv|pygmentize|dd|split|csplit|expand|fmt|pr|rsync|scp|sqlite3|parquet-tools|duckdb|objdump|readelf|nm|gdb|strace|tee|node|python[\d.]*|bash|sh|perl|ruby|sed|awk|gawk|grep|egrep|fgrep|rg|zgrep|ag|ack)$/.test(
        name,
      );
    if (isPath || (isReader && /^[\w.@-]+$/.test(value))) read(word, isReader ? 'content' : 'mention', value.replace(/^(if|in)=/, ''));
  }
}

/** Records a pattern that is looked for in files, and gives the words that are files. */
function recordPattern(command: ShellCommand, recorder: EventRecorder, at: At): readonly ShellWord[] {
  const { name, words, cwd } = command;
  const isGrep = greps.test(name);
  const given = words.findIndex(({ value }) => /^-\w*[ef]$|^--regexp|^--expression|^--file/.test(value));
  const isFileOption = words[given]?.value.endsWith('f');
  const operands = words.filter(({ value }, index) => {
    const before = words[index - 1]?.value ?? '';
    const isValue = /^-\w*[ef]$|^--(regexp|expression|file)$/.test(before) || (isGrep && /^-[mABCd]$/.test(before));
    return !value.startsWith('-') && !isValue;
  });
  const files = given < 0 ? operands.slice(1) : operands;
  if (!isGrep) return isFileOption && words[given + 1] ? [...files, words[given + 1] as ShellWord] : files;
  const pattern = given < 0 ? operands[0] : words[given + 1];
  const isRecursive = /^(rg|ag|ack)$/.test(name) || words.some(({ value }) => /^-\w*[rR]|^--(dereference-)?recursive/.test(value));
  if (!isRecursive) return files;
  const names = words.flatMap(({ value }, index) =>
    /^--include=/.test(value) ? [value.slice(10)] : /^-g$/.test(words[index - 1]?.value ?? '') ? [value] : [],
  );
  for (const root of files.length > 0 ? files : [undefined]) {
    const path = resolvePath({ path: root?.value ?? '.', cwd });
    recorder.add({ ...at(command.cite(root)), kind: 'search', path, names, text: pattern?.value });
  }
  return [];
}

function recordSearch(command: ShellCommand, recorder: EventRecorder, at: At): void {
  const { name, words, cwd } = command;
  if (name === 'find' || name === 'gfind') {
    for (const line of findPattern(words).split('\n')) {
      const cut = line.indexOf('/**/');
      const root = line.slice(0, cut);
      recorder.add({
        ...at(command.cite()),
        kind: 'search',
        path: resolvePath({ path: root === '' ? '/' : root, cwd }),
        names: [line.slice(cut + 4)],
      });
    }
    return;
  }
  const operands = words.filter(({ value }) => !/^-/.test(value) && value !== ']' && value !== '!' && value !== '=');
  if (/locate$/.test(name)) {
    for (const word of operands) recorder.add({ ...at(command.cite(word)), kind: 'search', path: '/', names: [word.value] });
    return;
  }
  const isFd = name === 'fd' || name === 'fdfind';
  const roots = isFd ? operands.slice(1) : operands;
  const names = isFd && operands[0] ? [operands[0].value] : [];
  if (roots.length === 0 && !/^(\[|test)$/.test(name))
    recorder.add({ ...at(command.cite()), kind: 'search', path: resolvePath({ path: '.', cwd }), names });
  for (const word of roots)
    recorder.add({ ...at(command.cite(word)), kind: 'search', path: resolvePath({ path: word.value, cwd }), names });
}

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

function recordNetwork(command: ShellCommand, recorder: EventRecorder, at: At): void {
  const { name } = command;
  const isModule =
    /^python[\d.]*$/.test(name) && command.words[0]?.value === '-m' && /^(pip|uv|pipx|ensurepip)$/.test(command.words[1]?.value ?? '');
  const program = isModule ? 'pip' : name;
  const words = isModule ? command.words.slice(2) : command.words;
  const add = (word: ShellWord | undefined, target: string) =>
    recorder.add({ ...at(word ? command.cite() : command.cite()), kind: 'network', program, target });
  const urls = words.filter(({ value }) => /(^|=|@)(https?|ftp|git|ssh|wss?|git\+\w+):\/\/|^git@[\w.-]+:/.test(value));
  if (fetches.test(program)) {
    const operands = words.filter(({ value }) => !value.startsWith('-'));
    const targets =
      program === 'openssl'
        ? words[0]?.value === 's_client'
          ? operands.slice(1)
          : []
        : urls.length > 0
          ? urls
          : operands.filter(({ value }) => /[.:$/]|localhost|\w/.test(value));
    for (const word of targets) add(word, word.value);
    return;
  }
  for (const { operator, target } of command.redirects)
    if (/^\d*(<|>|<>)/.test(operator) && target.value.startsWith('/dev/tcp/')) add(target, target.value.slice(9).replace('/', ':'));
  const client = Object.hasOwn(clients, program) ? clients[program] : undefined;
  const verb = program === 'git' ? gitVerb(words) : words.findIndex(({ value }) => !value.startsWith('-'));
  if (!client || !client.test(words[verb]?.value ?? '')) {
    for (const word of speaks.test(name) || greps.test(name) || name === 'git' || name === 'sed' ? [] : urls) add(word, word.value);
    return;
  }
  const first = /^(npx|bunx)$/.test(program) ? verb : verb + 1;
  for (const word of words.slice(first))
    if (!word.value.startsWith('-') && word.value !== '') add(word, `${words[verb]?.value} ${word.value}`);
  if (words.length === verb + 1) add(undefined, words[verb]?.value ?? '');
}

function gitVerb(words: readonly ShellWord[]): number {
  let at = 0;
  while (words[at]?.value.startsWith('-'))
    at += /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path)$/.test(words[at]?.value ?? '') ? 2 : 1;
  return at;
}
