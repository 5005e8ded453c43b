import { parse } from 'smol-toml';
import { z } from 'zod';

/** Name, version and licence as a Python package's own files state them, the licence as it is written there. */
export interface PythonMetadata {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly licence?: string | undefined;
  /** The file that was read. */
  readonly file: string;
}

const licenceSchema = z
  .union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)])
  .optional()
  .catch(undefined);
const projectSchema = z.object({
  name: z.string().optional().catch(undefined),
  version: z.string().optional().catch(undefined),
  license: licenceSchema,
  classifiers: z.array(z.string()).optional().catch(undefined),
});
const pyprojectSchema = z.object({
  project: projectSchema.optional().catch(undefined),
  tool: z
    .object({ poetry: projectSchema.optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/**
 * Reads what states a Python package's name: `*.dist-info/METADATA`, `*.egg-info/PKG-INFO`, `pyproject.toml`, `setup.cfg`
 * and the literals of `setup.py`, in this order. Nothing is executed, so a computed value counts as absent.
 */
export function readPythonMetadata(texts: ReadonlyMap<string, string>): readonly PythonMetadata[] {
  const found: PythonMetadata[] = [];
  for (const [file, text] of texts)
    if (/^[^/]+\.(dist-info\/METADATA|egg-info\/PKG-INFO)$/.test(file) || file === 'PKG-INFO') found.push({ file, ...fromHeaders(text) });
  const readers = { 'pyproject.toml': fromPyproject, 'setup.cfg': fromSetupCfg, 'setup.py': fromSetupPy };
  for (const [file, read] of Object.entries(readers)) {
    const text = texts.get(file);
    if (text !== undefined) found.push({ file, ...read(text) });
  }
  return found;
}

function fromHeaders(text: string): Omit<PythonMetadata, 'file'> {
  const head = text.split(/\r?\n\r?\n/)[0] as string;
  const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.+)$`, 'im').exec(head)?.[1]?.trim();
  const stated = field('License-Expression') ?? known(field('License'));
  return { name: field('Name'), version: field('Version'), licence: stated ?? classifier(head) };
}

function fromPyproject(text: string): Omit<PythonMetadata, 'file'> {
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    return {};
  }
  const { project, tool } = pyprojectSchema.safeParse(value).data ?? {};
  const stated = { ...tool?.poetry, ...project };
  return { name: stated.name, version: stated.version, licence: stated.license ?? classifier(stated.classifiers?.join('\n') ?? '') };
}

function fromSetupCfg(text: string): Omit<PythonMetadata, 'file'> {
  const section = /^\[metadata\]([\s\S]*?)(?=^\[|$(?![\s\S]))/m.exec(text)?.[1] ?? '';
  const field = (name: string) => new RegExp(`^${name}[ \\t]*[=:][ \\t]*(.+)$`, 'm').exec(section)?.[1]?.trim();
  const version = field('version');
  return {
    name: field('name'),
    version: /^attr:|^file:/.test(version ?? '') ? undefined : version,
    licence: known(field('license')) ?? classifier(section),
  };
}

function fromSetupPy(text: string): Omit<PythonMetadata, 'file'> {
  const field = (name: string) => new RegExp(`\\b${name}\\s*=\\s*(['"])([^'"\\n]+)\\1`).exec(text)?.[2];
  return { name: field('name'), version: field('version'), licence: known(field('license')) ?? classifier(text) };
}

function known(licence: string | undefined): string | undefined {
  return licence === undefined || /^unknown$/i.test(licence) ? undefined : licence;
}

function classifier(text: string): string | undefined {
  return /License :: (?:OSI Approved :: )?([^'"\n]+)/.exec(text)?.[1]?.trim();
}
