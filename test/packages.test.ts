import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const names = readdirSync(path.join(root, 'packages'));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifestOf = (name: string) => JSON.parse(readFileSync(path.join(root, 'packages', name, 'package.json'), 'utf8')) as Manifest;

describe('every package', () => {
  it.each(names)('%s ships the licence of the repository', (name) => {
    const licence = readFileSync(path.join(root, 'packages', name, 'LICENSE'), 'utf8');
    expect(licence).toBe(readFileSync(path.join(root, 'LICENSE'), 'utf8'));
    expect(manifestOf(name).license).toBe('MIT');
  });

  it.each(names)('%s has the version of all others and asks for exactly that version of them', (name) => {
    const { version, dependencies } = manifestOf(name);
    expect(version).toBe(manifestOf('contracts').version);
    const own = Object.entries(dependencies).filter(([dependency]) => dependency.startsWith('@tadpole/'));
    expect(own.map(([, range]) => range)).toEqual(own.map(() => version));
  });

  it.each(names)('%s pins what it depends on', (name) => {
    const loose = Object.entries(manifestOf(name).dependencies).filter(([, range]) => !/^\d+\.\d+\.\d+$/.test(range));
    expect(loose).toEqual([]);
  });

  it.each(names)('%s offers its source first, so that tests and examples need no build', (name) => {
    for (const conditions of Object.values(manifestOf(name).exports)) {
      expect(Object.keys(conditions)).toEqual(['@tadpole/source', 'types', 'default']);
    }
  });

  it.each(names)('%s explains itself in a README whose title is its name', (name) => {
    const [title] = readFileSync(path.join(root, 'packages', name, 'README.md'), 'utf8').split('\n');
    expect(title).toBe(`# ${manifestOf(name).name}`);
  });
});
