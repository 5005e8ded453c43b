// Matches glob patterns for the runner of a sandbox, with the meaning of bash's globstar and dotglob but without `.git`.
// Bounded in matches, in entries looked at, in folders waiting and in time, whatever the tree and the pattern.
'use strict';

const fs = require('node:fs');
const { Refusal } = require('./runner-refusal.cjs');

const limits = { results: 50_000, resultBytes: 4_194_304, entries: 400_000, folders: 50_000, milliseconds: 10_000 };
const pathBytes = 4095;
const slash = Buffer.from('/');
const gitName = Buffer.from('.git');

const tooMany = (what) => new Refusal(`got ${what}; give a narrower pattern or a folder further down`);

/** Whether a name matches one segment of a pattern, in time of their product whatever the number of stars. */
function matchesSegment(segment, name) {
  let at = 0;
  let star = -1;
  let retry = 0;
  for (let index = 0; index < name.length; ) {
    if (segment[at] === '*') {
      star = at++;
      retry = index;
    } else if (at < segment.length && (segment[at] === '?' || segment[at] === name[index])) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++retry;
    } else return false;
  }
  while (segment[at] === '*') at++;
  return at === segment.length;
}

/** A segment is `**`, a literal name, or the characters of a pattern. */
function readSegments(pattern) {
  const texts = pattern.split('/').filter((segment) => segment !== '' && segment !== '.');
  return texts.map((text) => {
    if (text === '**') return { any: true };
    return /[*?]/.test(text) ? { characters: [...text] } : { literal: Buffer.from(text) };
  });
}

function isKind(kind, file) {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })?.[kind]() === true;
  } catch {
    return false;
  }
}

/** Names from the folder where a search begins; nodes share their parents, so a long path costs its last name alone. */
function pathOf(node) {
  const parts = [];
  for (let at = node; at.name !== undefined; at = at.parent) parts.push(slash, at.name);
  return Buffer.concat(parts.slice(1).reverse());
}

/** Entries of a folder one by one, as a folder may hold a million; none of one that cannot be read. */
function* entriesOf(folder) {
  let directory;
  try {
    directory = fs.opendirSync(folder, { encoding: 'buffer' });
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) yield entry;
  } catch (error) {
    if (typeof error.code !== 'string') throw error;
  } finally {
    directory?.closeSync();
  }
}

/** Whether an entry matches the whole pattern, and which segments its own entries may match next. */
function advance(segments, { states, entry }) {
  const last = segments.length - 1;
  const characters = [...entry.name.toString('utf8')];
  const isFolder = entry.isDirectory();
  const next = new Set();
  let isMatch = false;
  for (const state of states) {
    const { any } = segments[state];
    if (!any && !matchesSegment(segments[state].characters, characters)) continue;
    isMatch ||= state === last;
    // A link to a folder is followed by a segment that names it, never by `**`.
    if (any && isFolder) next.add(state);
    if (!any && state < last && (isFolder || entry.isSymbolicLink())) next.add(state + 1);
  }
  return { isMatch, next };
}

/** Finds the files below a folder that match one pattern; `step` is called for every entry that is looked at. */
async function matchPattern(pattern, { folder, step, found }) {
  const segments = readSegments(pattern);
  const last = segments.length - 1;
  // A pattern that ends in a slash names folders alone.
  if (last < 0 || pattern.endsWith('/')) return;
  const pending = [{ length: folder.length, states: new Set([0]) }];

  function visit(parent, name, states) {
    const length = parent.length + name.length + 1;
    if (states.size === 0 || length > pathBytes) return;
    if (pending.length >= limits.folders) throw tooMany(`more than ${limits.folders} folders to look into`);
    pending.push({ parent, name, length, states });
  }

  async function lookUp(node, here, state) {
    const { literal } = segments[state];
    if (literal.equals(gitName)) return;
    await step();
    if (state < last) visit(node, literal, new Set([state + 1]));
    else if (isKind('isFile', Buffer.concat([here, slash, literal]))) found(pathOf({ parent: node, name: literal }));
  }

  async function list(node, here, states) {
    for (const entry of entriesOf(here)) {
      await step();
      if (entry.name.equals(gitName)) continue;
      const { isMatch, next } = advance(segments, { states, entry });
      const isFile = () => entry.isFile() || (entry.isSymbolicLink() && isKind('isFile', Buffer.concat([here, slash, entry.name])));
      if (isMatch && isFile()) found(pathOf({ parent: node, name: entry.name }));
      visit(node, entry.name, next);
    }
  }

  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const here = Buffer.concat([folder, slash, pathOf(node)]);
    // `**` also stands for no folder at all.
    for (const state of node.states) if (segments[state].any && state < last) node.states.add(state + 1);
    const listed = [...node.states].filter((state) => segments[state].literal === undefined);
    for (const state of node.states) if (!listed.includes(state)) await lookUp(node, here, state);
    if (listed.length > 0) await list(node, here, listed);
  }
}

async function glob(request) {
  if (!isKind('isDirectory', request.folder)) return { header: { status: 'absent' } };
  const results = new Set();
  const deadline = performance.now() + limits.milliseconds;
  let resultBytes = 0;
  let entries = 0;
  const step = async () => {
    entries += 1;
    if (entries > limits.entries) throw tooMany(`more than ${limits.entries} entries to look at`);
    if (entries % 512 !== 0) return;
    if (performance.now() > deadline) throw tooMany(`more to look at than ${limits.milliseconds} ms allow`);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const found = (file) => {
    // One character a byte keeps names that are no UTF-8 apart and whole.
    const text = file.toString('latin1');
    if (results.has(text)) return;
    results.add(text);
    resultBytes += file.length + 1;
    if (results.size > limits.results || resultBytes > limits.resultBytes) throw tooMany(`more than ${results.size - 1} matches`);
  };
  for (const pattern of request.patterns) await matchPattern(pattern, { folder: Buffer.from(request.folder), step, found });
  return { header: { status: 'ok' }, payload: Buffer.from([...results].join('\0'), 'latin1') };
}

module.exports = { glob };
