// Gives every package.json of the working folder the name that it has in the base, and none where the base has none:
// a package that calls itself like a test framework would be found in the framework's place by its own files. A changed
// file is written anew from what was read, so that no second name or mark at its start is read otherwise by Node.js.
import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [base] = process.argv.slice(2);

function read(file) {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8') : undefined;
}

function parse(text) {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

function settle(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && entry.name !== '.git') settle(path);
    } else if (entry.name === 'package.json') settleFile(path);
  }
}

function settleFile(path) {
  const [known, found] = [read(join(base, path)), read(path)];
  if (found !== undefined && found === known) return;
  const value = parse(found);
  // A link, or text that is no JSON, is no package.json that a task's own tools would write.
  if (value === null || typeof value !== 'object') rmSync(path);
  else writeFileSync(path, JSON.stringify({ ...value, name: parse(known)?.name }, null, 2));
}

settle('.');
