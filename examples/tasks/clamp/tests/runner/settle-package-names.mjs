// Gives every package.json of the working folder the name that it has in the base, and none where the base has none:
// a package that calls itself like a test framework would be found in the framework's place by its own files.
import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [base] = process.argv.slice(2);

function read(file) {
  try {
    return lstatSync(file).isFile() ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}

function settle(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && entry.name !== '.git') settle(path);
    } else if (entry.name === 'package.json') {
      const known = read(join(base, path));
      const found = read(path);
      // A link, or text that is no JSON, is no package.json that a task's own tools would write.
      if (entry.isSymbolicLink()) rmSync(path);
      else if (found !== null && typeof found === 'object' && found.name !== known?.name)
        writeFileSync(path, JSON.stringify({ ...found, name: known?.name }, null, 2));
    }
  }
}

settle('.');
