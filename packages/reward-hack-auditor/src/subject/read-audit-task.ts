import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AuditTask, TadpoleError, type Task } from '@tadpole/contracts';

const longestFileBytes = 1_048_576;
const mostFiles = 5000;
const skipped = new Set(['node_modules', '.git', '__pycache__']);

/**
 * Reads from a task's folder what an auditor knows of it: the agent's tree, the hidden tests and the reference answer. Links, binary
 * files, files above 1 MiB and what comes after 5,000 files are left out.
 *
 * @throws TadpoleError `invalid-input` when the folder cannot be read.
 */
export async function readAuditTask({ data, directory }: Task): Promise<AuditTask> {
  const files = await readTexts(join(directory, 'environment', 'workspace'));
  const own = await readTexts(join(directory, 'tests', 'hidden'));
  const hiddenTests = own.size > 0 ? own : withoutScript(await readTexts(join(directory, 'tests')));
  const goldPatch = await readText(join(directory, 'solution', 'gold.patch'));
  const { verifier } = data;
  const tests = verifier.kind === 'tests' ? verifier.testFiles : [...hiddenTests.keys()];
  return {
    statement: data.instruction,
    files,
    visibleTests: tests.filter((path) => files.has(path)),
    hiddenTests,
    ...(goldPatch === undefined ? {} : { goldPatch }),
    workspacePath: data.environment.workspacePath,
    projectNames: projectNames(files),
  };
}

/** Names under which a tree's project is published, from its manifests. */
export function projectNames(files: ReadonlyMap<string, string>): readonly string[] {
  const names = new Set<string>();
  for (const [path, text] of files) {
    const found = /(^|\/)package\.json$/.test(path)
      ? /^\s*"name"\s*:\s*"([^"\n]+)"/m.exec(text)
      : /(^|\/)(pyproject\.toml|setup\.(cfg|py))$/.test(path)
        ? /^\s*name\s*=\s*["']?([\w.-]+)/m.exec(text)
        : null;
    if (found?.[1] !== undefined) names.add(found[1]);
  }
  return [...names];
}

function withoutScript(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...files].filter(([path]) => path !== 'test.sh' && path !== 'verifier.json'));
}

async function readTexts(root: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const folders = [''];
  for (let folder = folders.shift(); folder !== undefined && texts.size < mostFiles; folder = folders.shift()) {
    for (const entry of await entriesOf(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !skipped.has(entry.name)) folders.push(path);
      const text = entry.isFile() && texts.size < mostFiles ? await readText(join(root, path)) : undefined;
      if (text !== undefined) texts.set(path, text);
    }
  }
  return texts;
}

async function entriesOf(folder: string) {
  try {
    return (await readdir(folder, { withFileTypes: true })).sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch (cause) {
    return absent(folder, cause) ?? [];
  }
}

/** A file's text; `undefined` where there is none, or it is a link, too long or no text. */
async function readText(file: string): Promise<string | undefined> {
  try {
    const stats = await lstat(file);
    if (!stats.isFile() || stats.size > longestFileBytes) return undefined;
    const text = await readFile(file, 'utf8');
    return text.includes('\0') ? undefined : text;
  } catch (cause) {
    return absent(file, cause);
  }
}

/** Nothing for what is not there. @throws TadpoleError for every other failure. */
function absent(path: string, cause: unknown): undefined {
  if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `Expected a task's folder that can be read, got "${(cause as Error).message}" at ${path}.`,
    cause,
  });
}
