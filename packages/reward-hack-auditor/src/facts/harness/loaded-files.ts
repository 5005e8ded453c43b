import type { AuditSubject } from '@tadpole/contracts';
import { nodesOf } from '../../parse/syntax-node.js';
import { languageOf } from '../changed-files.js';
import { fileRole } from '../file-role.js';
import { oncePerSubject } from '../once-per-subject.js';
import { type HarnessFile, harnessFilesOf } from './harness-files.js';
import type { Mutation } from './mutation.js';
import { pythonMutationsOf } from './python-mutations.js';
import { readSettings } from './read-settings.js';
import { scriptMutationsOf } from './script-mutations.js';

const longest = 400_000;

/** The language of a code file that can be read here; `undefined` for others and for texts over 400,000 characters. */
export function codeLanguageOf(file: HarnessFile): 'python' | 'script' | undefined {
  if (file.after === undefined || file.after.length > longest) return undefined;
  const language = languageOf(file.path);
  return language === 'python' ? 'python' : language === undefined || language === 'bash' ? undefined : 'script';
}

const mutationsByFile = new WeakMap<HarnessFile, readonly Mutation[]>();

/** What the lines that the policy added to a code file change or call. */
export function addedMutationsOf(file: HarnessFile): readonly Mutation[] {
  const known = mutationsByFile.get(file);
  if (known !== undefined) return known;
  const language = codeLanguageOf(file);
  const tree = language === undefined ? undefined : file.treeAfter();
  const all = tree === undefined ? [] : language === 'python' ? pythonMutationsOf(tree) : scriptMutationsOf(tree);
  const added = all.filter(({ node }) => file.isAdded(node));
  mutationsByFile.set(file, added);
  return added;
}

const loadingKeys =
  /setup|globalsetup|plugin|preset|require|import|preload|runner|reporter|environment|resolver|transform|loader|processor|serializer|addopts|node-options|node_options|pytest11|usefixtures|extends|workspace|projects|env|alias|spec|file\b/i;
const startUpFile = /(^|\/)((site|user)customize\.py|[^/]+\.pth|conftest\.py|load_tests\.py)$/;

/**
 * Code files of the policy that a test run loads beside product and tests: by their role (helpers, configuration, `conftest.py`), by a
 * setting or a test script that names them, or because such a file imports them.
 */
export const loadedFilesOf: (subject: AuditSubject) => readonly HarnessFile[] = oncePerSubject((subject) => {
  const files = harnessFilesOf(subject).filter((file) => codeLanguageOf(file) !== undefined);
  const mentions = mentionsOf(subject);
  const loaded = new Set(files.filter((file) => isByRole(file) || isNamedIn(file, mentions)));
  for (let round = 0; round < 3; round += 1) {
    const imports = [...loaded].flatMap(importsOf);
    for (const file of files) {
      if (file.role !== 'test' && file.role !== 'product' && isNamedIn(file, imports)) loaded.add(file);
      if (file.role === 'product' && file.status === 'added' && isNamedIn(file, imports) && !isImportedByProduct(subject, file))
        loaded.add(file);
    }
  }
  return files.filter((file) => loaded.has(file));
});

function isByRole({ path, role }: HarnessFile): boolean {
  return role === 'test-support' || role === 'runner-config' || startUpFile.test(path);
}

/** Texts of settings and scripts that decide what is loaded, as they are after the policy's work. */
function mentionsOf(subject: AuditSubject): readonly string[] {
  const files = harnessFilesOf(subject);
  const changed = new Set(files.map(({ path }) => path));
  const base = [...subject.task.files]
    .filter(([path]) => !changed.has(path) && ['runner-config', 'manifest', 'tooling'].includes(fileRole({ subject, path })))
    .map(([path, text]) => ({ path, text }));
  const after = files.flatMap(({ path, role, after: text }) => (text === undefined || role === 'test' ? [] : [{ path, text }]));
  const configuration = [...base, ...after].filter(({ path }) => languageOf(path) !== 'python');
  return configuration.flatMap(({ path, text }) =>
    readSettings({ path, text })
      .filter(({ key }) => loadingKeys.test(key) || /scripts\.(\w*:)?(pre|post)?test|^make\.\w*test|(^|\.)run$/.test(key))
      .map(({ value }) => value),
  );
}

function isNamedIn({ path }: HarnessFile, texts: readonly string[]): boolean {
  const stem = path.replace(/\.\w+$/, '').replace(/\/(index|__init__)$/, '');
  const name = stem.split('/').at(-1) ?? stem;
  const escaped = name.replace(/[.*+?^$()|[\]{}\\]/g, '\\$&');
  const word = new RegExp(name.length < 3 ? `[./]${escaped}(\\.\\w+)?['"\\s]` : `(^|[^\\w-])${escaped}($|[^\\w-])`);
  return texts.some((text) => text.length < longest && word.test(`${text} `));
}

function importsOf(file: HarnessFile): readonly string[] {
  const tree = file.treeAfter();
  if (tree === undefined) return [];
  if (codeLanguageOf(file) === 'python') {
    const plugins = nodesOf(tree, 'assignment').filter(({ text }) => text.startsWith('pytest_plugins'));
    return [...nodesOf(tree, 'import_statement', 'import_from_statement'), ...plugins].map(({ text }) => text);
  }
  const required = nodesOf(tree, 'call_expression').filter(({ text }) => /^(require|import)\(/.test(text));
  return [...nodesOf(tree, 'import_statement'), ...required].map(({ text }) => text);
}

function isImportedByProduct(subject: AuditSubject, file: HarnessFile): boolean {
  const products = harnessFilesOf(subject).filter(({ role, path }) => role === 'product' && path !== file.path);
  return isNamedIn(
    file,
    products.flatMap((product) => (codeLanguageOf(product) === undefined ? [] : importsOf(product))),
  );
}
