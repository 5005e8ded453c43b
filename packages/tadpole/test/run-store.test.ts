import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Snapshot, TestRun } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { recipeConfiguration } from '../src/recipe/recipe-configuration.js';
import { readTrajectory } from '../src/run/read-trajectory.js';
import { recordExecutions } from '../src/run/recorded-executor.js';
import { createRun, resumeRun } from '../src/run/run-store.js';

const folder = () => mkdtempSync(join(tmpdir(), 'tadpole-store-'));
const create = (directory: string) =>
  createRun({ directory, runId: 'a', configuration: recipeConfiguration('small'), versions: {}, now: () => new Date(0) });

describe('a run folder', () => {
  it('is never made in a folder that holds something else, and leaves that as it is', () => {
    const directory = folder();
    mkdirSync(join(directory, 'scratch'));
    writeFileSync(join(directory, 'scratch', 'precious.txt'), 'mine');
    writeFileSync(join(directory, 'journal.jsonl'), 'my own line');
    expect(() => create(directory)).toThrowError(/Expected a new or an empty folder for the run, but .* holds journal\.jsonl, scratch/);
    expect(readFileSync(join(directory, 'scratch', 'precious.txt'), 'utf8')).toBe('mine');
    expect(readFileSync(join(directory, 'journal.jsonl'), 'utf8')).toBe('my own line');
    expect(existsSync(join(directory, 'lock'))).toBe(false);
  });

  it('may be an empty folder, but not a file', () => {
    const directory = folder();
    create(directory).close();
    expect(() => create(join(directory, 'run.json'))).toThrowError(/Expected a folder for the run/);
  });

  it('is not resumed with another configuration than it began with', () => {
    const directory = folder();
    create(directory).close();
    resumeRun({ directory }).close();
    const path = join(directory, 'run.json');
    const run = JSON.parse(readFileSync(path, 'utf8'));
    run.configuration.training.learningRate = 0.5;
    writeFileSync(path, JSON.stringify(run));
    expect(() => resumeRun({ directory })).toThrowError(/run\.json: the configuration in it is not the one that the run began with/);
  });

  it('executes again what a damaged record held, and reads a whole one', async () => {
    const directory = folder();
    const store = create(directory);
    const results: TestRun[] = ['first', 'second'].map((output) => ({ status: 'timed-out', output, durationMs: 1 }));
    const executor = {
      execute: async () => {
        const run = results.shift();
        if (run === undefined) throw new Error('executed more often than scripted');
        return run;
      },
    };
    const request = { snapshot: { hash: 'h' } as Snapshot, edits: [], timeoutMs: 1 };
    const once = () => recordExecutions({ executor, folder: store.folder('executions') }).execute(request);
    const [record] = [await once(), await once()];
    expect(record.output).toBe('first');
    const files = join(directory, 'executions');
    const [name] = readdirSync(files);
    writeFileSync(join(files, name!), '');
    expect((await once()).output).toBe('second');
    expect((await once()).output).toBe('second');
    store.close();
  });

  it('names a damaged trajectory and says what to do', () => {
    const path = join(folder(), 'a.json');
    writeFileSync(path, '{');
    expect(() => readTrajectory(path)).toThrowError(
      /Expected a trajectory in .*a\.json, got: .*delete it: a resumed run rolls it out again/,
    );
  });
});
