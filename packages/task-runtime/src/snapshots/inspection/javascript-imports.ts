import { dirname, join, normalize } from 'node:path/posix';
import type { NpmManifest } from './npm-manifest.js';

/** One module that a file names. */
export interface NamedImport {
  /** As it is written. */
  readonly specifier: string;
  /** True where the file goes on without it: inside `try`, or at a later time. */
  readonly optional: boolean;
  /** By `require` of Node.js, which reads other conditions of `exports` than `import`. */
  readonly required?: boolean;
}

/** What a file imports, as far as its text says it. */
export interface FileImports {
  readonly imports: readonly NamedImport[];
  /** It loads something whose name is computed. */
  readonly computed: boolean;
}

const quoted = String.raw`(['"\`])((?:(?!\1)[^\\\n])+)\1`;
const loads = [
  new RegExp(String.raw`\brequire(?:\.resolve)?\s*\(\s*${quoted}`, 'g'),
  new RegExp(String.raw`\bproxyquire(?:\.\w+(?:\(\))?)*\s*\(\s*${quoted}`, 'g'),
  new RegExp(String.raw`\bimport\s*\(\s*${quoted}`, 'g'),
  new RegExp(String.raw`(?<![\w.$])(?:import|export)\b(?!\s*type\b)[^'"\`;()=]*?\bfrom\s*${quoted}`, 'g'),
  new RegExp(String.raw`(?:^|[\n;])\s*import\s*${quoted}`, 'g'),
  new RegExp(String.raw`\bnew URL\(\s*${quoted}\s*,\s*import\.meta\.url`, 'g'),
];
const joined = /\b(?:join|resolve)\(\s*__dirname((?:\s*,\s*['"][^'"\n]*['"])+)\s*\)/g;
const computedLoad = /\b(?:require|import)\s*\(\s*(?!['"`)\s])(?!\/[/*])/;

/** Reads the imports of JavaScript or TypeScript by patterns; no comment counts that has a line to itself. */
export function javascriptImports(text: string): FileImports {
  const code = text.replace(/^[ \t]*(\/\/|\*|\/\*).*$/gm, '');
  const found = new Map<string, NamedImport>();
  const add = (specifier: string, optional: boolean, required: boolean) =>
    found.set(`${required} ${specifier}`, {
      specifier,
      optional: optional && (found.get(`${required} ${specifier}`)?.optional ?? true),
      required,
    });
  for (const [index, pattern] of loads.entries()) {
    for (const match of code.matchAll(pattern)) {
      const before = code.slice(Math.max(0, match.index - 80), match.index);
      if (match[2] !== undefined && !match[2].includes('${')) add(match[2], /\btry\s*\{[^}]*$/.test(before), index < 2);
    }
  }
  for (const match of code.matchAll(joined)) {
    const parts = [...(match[1] as string).matchAll(/['"]([^'"\n]*)['"]/g)].map((part) => part[1] as string);
    add(`./${join('.', ...parts)}`, true, true);
  }
  return { imports: [...found.values()], computed: computedLoad.test(code) };
}

const endings = ['', '.js', '.cjs', '.mjs', '.json', '.ts', '.tsx', '.mts', '.cts', '.jsx'];

/**
 * The file of the repository that an import leads to, or `undefined` for a package or an absent file. Names of the
 * package itself go through its `exports` and `main`, with `conditions` in the order of the manifest; `~/`, `@/` and `src/`
 * lead to `src` or to the root, as aliases of these names do. Other aliases are not known.
 */
export function resolveJavascriptImport(options: {
  specifier: string;
  from: string;
  paths: ReadonlySet<string>;
  manifest: NpmManifest | undefined;
  conditions: ReadonlySet<string>;
}): string | undefined {
  const { specifier, from, paths, manifest, conditions } = options;
  if (/^\.{1,2}(\/|$)/.test(specifier)) return fileAt(normalize(join(dirname(from), specifier.replace(/[?#].*$/, ''))), options);
  const alias = /^(?:[~@]\/|~(?=\w)|(?=src\/))(.+)/.exec(specifier)?.[1];
  if (alias !== undefined) return fileAt(`src/${alias}`, options) ?? fileAt(alias, options);
  if (specifier.startsWith('#')) return exported(manifest?.imports, specifier, { paths, conditions });
  const name = manifest?.name;
  if (name === undefined || (specifier !== name && !specifier.startsWith(`${name}/`))) return undefined;
  const subpath = `.${specifier.slice(name.length)}`;
  if (manifest?.exports !== undefined) return exported(manifest.exports, subpath, { paths, conditions });
  return fileAt(subpath, options);
}

function fileAt(place: string, options: { paths: ReadonlySet<string>; manifest: NpmManifest | undefined }): string | undefined {
  const { paths, manifest } = options;
  const plain = normalize(place).replace(/\/+$/, '');
  if (plain.startsWith('..')) return undefined;
  const candidates = plain === '.' ? [] : [...endings.map((ending) => plain + ending), ...typescriptNames(plain)];
  if (plain === '.' && manifest?.main !== undefined) {
    const main = normalize(manifest.main).replace(/\/+$/, '');
    candidates.push(...endings.map((ending) => main + ending), ...endings.map((ending) => join(main, `index${ending}`)));
  }
  candidates.push(...endings.map((ending) => join(plain, `index${ending}`)));
  return candidates.find((candidate) => paths.has(candidate));
}

/** TypeScript names the file that will be built. */
function typescriptNames(path: string): readonly string[] {
  const match = /\.([cm]?)js(x?)$/.exec(path);
  if (match === null) return [];
  const stem = path.slice(0, -match[0].length);
  return [`${stem}.${match[1]}ts${match[2]}`, `${stem}.tsx`];
}

function exported(
  table: unknown,
  subpath: string,
  options: { paths: ReadonlySet<string>; conditions: ReadonlySet<string> },
): string | undefined {
  const entries = isRecord(table) && Object.keys(table).some((key) => /^[.#]/.test(key)) ? table : { '.': table };
  const exact = target(entries[subpath], options);
  if (exact !== undefined) return exact;
  for (const [key, value] of Object.entries(entries)) {
    const [head, tail] = key.split('*');
    if (tail === undefined || head === undefined || !subpath.startsWith(head) || !subpath.endsWith(tail)) continue;
    const found = target(value, { ...options, star: subpath.slice(head.length, subpath.length - tail.length) });
    if (found !== undefined) return found;
  }
  return undefined;
}

function target(
  value: unknown,
  options: { paths: ReadonlySet<string>; conditions: ReadonlySet<string>; star?: string },
): string | undefined {
  if (typeof value === 'string') {
    const path = normalize(value.replaceAll('*', options.star ?? '*'));
    return options.paths.has(path) ? path : undefined;
  }
  const choices = Array.isArray(value) ? value : isRecord(value) ? pick(value, options.conditions) : [];
  for (const choice of choices) {
    const found = target(choice, options);
    if (found !== undefined) return found;
  }
  return undefined;
}

function pick(value: Readonly<Record<string, unknown>>, conditions: ReadonlySet<string>): readonly unknown[] {
  return Object.entries(value).flatMap(([condition, choice]) => (conditions.has(condition) ? [choice] : []));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The package that a specifier names, such as `@scope/part` of `@scope/part/file.js`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
