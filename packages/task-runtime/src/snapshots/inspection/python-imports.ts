import { dirname, join } from 'node:path/posix';
import type { FileImports, NamedImport } from './javascript-imports.js';

/**
 * Reads the imports of Python by patterns. `from .a import b, c` is given as `.a`, `.a:b` and `.a:c`. What stands
 * indented counts as optional: a `try`, a condition, or a function that may never be called.
 */
export function pythonImports(text: string): FileImports {
  const code = text.replace(/("""|''')[\s\S]*?\1/g, '').replaceAll('\\\n', ' ');
  const found = new Map<string, boolean>();
  const add = (specifier: string, indent: string) => found.set(specifier, indent !== '' && (found.get(specifier) ?? true));
  for (const [, indent = '', modules = ''] of code.matchAll(/^([ \t]*)import[ \t]+([^\n#;]+)/gm))
    for (const module of modules.split(',')) add((module.trim().split(/\s/)[0] as string).trim(), indent);
  for (const [, indent = '', module = '', names = ''] of code.matchAll(
    /^([ \t]*)from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]*(\([^)]*\)|[^\n#;]+)/gm,
  )) {
    add(module, indent);
    const separator = module.endsWith('.') ? '' : ':';
    for (const name of names.replace(/#.*$/gm, '').replace(/[()]/g, '').split(',')) {
      const plain = name.trim().split(/\s/)[0] as string;
      if (/^\w+$/.test(plain)) add(`${module}${separator === '' ? '' : ':'}${plain}`, indent);
    }
  }
  const imports: NamedImport[] = [...found].filter(([name]) => name !== '').map(([specifier, optional]) => ({ specifier, optional }));
  return { imports, computed: /\b(import_module|__import__)\s*\(/.test(code) };
}

/** The files that importing a module loads: its own and the `__init__.py` of every package on the way to it. */
export function resolvePythonImport(options: {
  specifier: string;
  from: string;
  paths: ReadonlySet<string>;
  /** Folders that modules are looked for in, relative; `''` is the repository. */
  roots: readonly string[];
}): readonly string[] {
  const { specifier, from, paths, roots } = options;
  const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
  const parts = specifier
    .slice(dots)
    .split(/[.:]/)
    .filter((part) => part !== '');
  if (dots > 0) {
    let base = dirname(from);
    for (let level = 1; level < dots; level += 1) base = dirname(base);
    return modules(base === '.' ? '' : base, parts, paths);
  }
  for (const root of [...roots, dirname(from) === '.' ? '' : dirname(from)]) {
    const found = modules(root, parts, paths);
    if (found.length > 0) return found;
  }
  return [];
}

function modules(root: string, parts: readonly string[], paths: ReadonlySet<string>): readonly string[] {
  const found: string[] = [];
  let place = root;
  const init = join(place, '__init__.py');
  if (parts.length === 0 || root !== '') if (paths.has(init)) found.push(init);
  const own: string[] = [];
  for (const part of parts) {
    place = join(place, part);
    for (const candidate of [`${place}.py`, join(place, '__init__.py')]) if (paths.has(candidate)) own.push(candidate);
  }
  return own.length > 0 || parts.length === 0 ? [...found, ...own] : [];
}
