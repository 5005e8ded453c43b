import { setMaxListeners } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isTadpoleError, TadpoleError } from '@tadpole/contracts';
import { createRedactor } from '@tadpole/leaf-harness';
import { createNamespaceProvider, reapStaleSandboxes } from '@tadpole/task-runtime';
import { type ModelEndpoint, parseSynthesisState, readEvaluationSet, type SynthesisBudget } from '@tadpole/taskpilot';
import { writeSynthesisReport } from '../report/write-synthesis-report.js';
import { createSynthesisStore, resumeSynthesisStore, type SynthesisStore } from '../synth/synthesis-store.js';
import {
  type RepositorySynthesis,
  type RepositorySynthesisEvent,
  type RepositorySynthesisOptions,
  synthesizeRepository,
} from '../synth/synthesize-repository.js';
import { environmentSecrets } from './environment-secrets.js';
import { apiKeyOf, type OpenActor, openActor } from './open-actor.js';
import { rungOf, type SynthFlags } from './synth-flags.js';
import { admittedLine, endLine, openLines, progressLine } from './synth-lines.js';
import { noPackages, sourceRepositories } from './synth-repositories.js';
import { readFlagFile, synthSettings } from './synth-settings.js';

/** `tadpole synth` with a policy. Exit code 1 when fewer tasks than asked for were admitted. @throws TadpoleError as `synthesizeRepository` does. */
export async function synthesizeMeasured({ folders, flags }: { folders: readonly string[]; flags: SynthFlags }): Promise<void> {
  const now = () => new Date();
  const directory = resolve(flags.out);
  const { nodeModules, pythonPackages, licence } = flags;
  const repositories = sourceRepositories({ folders, nodeModules, pythonPackages, licence, scratch: join(directory, 'scratch') });
  const given = readGiven(flags);
  const settings = synthSettings({ repositories, flags });
  const store = flags.resume ? resumeSynthesisStore({ directory, settings }) : createSynthesisStore({ directory, settings, now });
  const interrupt = new AbortController();
  // Every rollout in flight listens to it.
  setMaxListeners(0, interrupt.signal);
  const { signal } = interrupt;
  // Once interrupted it stays to the end: another signal must not end the process before all is cleaned up and said.
  const stop = () => {
    if (signal.aborted) process.stderr.write('Already stopping; a moment.\n');
    interrupt.abort();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  let result: RepositorySynthesis;
  try {
    result = await run({ store, flags, signal, options: { ...given, repositories, now, signal } });
  } catch (error) {
    throw signal.aborted ? interrupted(directory) : withResume(error, directory);
  } finally {
    if (!signal.aborted) process.off('SIGINT', stop).off('SIGTERM', stop);
    store.close();
  }
  const { tasks, ...counts } = result;
  if (flags.json) process.stdout.write(`${JSON.stringify({ tasks: tasks.map((task) => task.directory), ...counts })}\n`);
  else process.stdout.write(`${endLine(result)}${tasks.length === 0 ? '' : `, in ${join(flags.out, 'tasks')}`}\n`);
  if (tasks.length < flags.count) process.exitCode = 1;
}

type Given = Omit<RepositorySynthesisOptions, 'store' | 'provider' | 'actor' | 'rollouts' | 'redactor'>;

async function run(parts: { store: SynthesisStore; flags: SynthFlags; signal: AbortSignal; options: Given }): Promise<RepositorySynthesis> {
  const { store, flags, signal, options } = parts;
  const scratchDirectory = store.folder('scratch');
  await reapStaleSandboxes({ scratchDirectory });
  mkdirSync(noPackages(scratchDirectory), { recursive: true });
  const provider = createNamespaceProvider({ scratchDirectory });
  let opened: OpenActor | undefined;
  try {
    opened = await openActor({ flags, environment: process.env, signal });
    const { actor, rollouts } = opened;
    const redactor = createRedactor({ secrets: secretsOf(flags) });
    const synthesis = synthesizeRepository({ ...options, store, provider, actor, rollouts, redactor });
    const show = createDisplay(flags);
    let step = await synthesis.next();
    for (; step.done !== true; step = await synthesis.next()) show(step.value);
    writeSynthesisReport({ directory: store.directory });
    return step.value;
  } finally {
    await opened?.close();
    await provider.disposeAll();
    rmSync(scratchDirectory, { recursive: true, force: true });
  }
}

/** Prints a line for each admitted task and each round; nothing where the caller wants one document. */
function createDisplay(flags: SynthFlags): (event: RepositorySynthesisEvent) => void {
  let number = 0;
  let admitted: Extract<RepositorySynthesisEvent, { type: 'task-admit' }> | undefined;
  const linesOf = (event: RepositorySynthesisEvent): readonly string[] => {
    if (event.type === 'repository-open') return openLines(event);
    if (event.type === 'synthesis-progress') return [progressLine(event)];
    if (event.type === 'task-admit') admitted = event;
    if (event.type !== 'task-write' || admitted === undefined) return [];
    number += 1;
    return [admittedLine({ event: admitted, number, directory: join(flags.out, 'tasks', event.task.data.id) })];
  };
  return (event) => {
    if (!flags.json) for (const line of linesOf(event)) process.stdout.write(`${line}\n`);
  };
}

/** What the flags say, files read. @throws TadpoleError `invalid-config`, `invalid-input`. */
function readGiven(flags: SynthFlags): Omit<Given, 'repositories' | 'now'> {
  const { count, seed, band, checkpoint, state, decontaminate } = flags;
  const author = authorOf(flags);
  return {
    ...{ count, seed, rung: rungOf(flags), budget: budgetOf(flags) },
    ...(band === undefined ? {} : { band }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
    ...(state === undefined ? {} : { state: readState(state) }),
    ...(decontaminate === undefined
      ? {}
      : { evaluationRecords: readEvaluationSet({ text: readFlagFile(decontaminate, '--decontaminate'), name: decontaminate }) }),
    ...(author === undefined ? {} : { author }),
  };
}

function readState(file: string) {
  const text = readFlagFile(file, '--state');
  try {
    return parseSynthesisState(JSON.parse(text));
  } catch (cause) {
    const message = `--state ${file}: ${(cause as Error).message}`;
    throw new TadpoleError({ code: 'invalid-input', message, cause });
  }
}

function budgetOf({ count, maxRollouts = 40 * count, maxUsd, maxMinutes }: SynthFlags): SynthesisBudget {
  return {
    rollouts: maxRollouts,
    ...(maxUsd === undefined ? {} : { usd: maxUsd }),
    ...(maxMinutes === undefined ? {} : { wallTimeMs: 60_000 * maxMinutes }),
  };
}

function authorOf(flags: SynthFlags): ModelEndpoint | undefined {
  const { authorBaseUrl, authorModel, authorApiKeyEnv, authorPricePrompt, authorPriceCompletion } = flags;
  if (authorBaseUrl === undefined || authorModel === undefined) return undefined;
  return {
    ...{ baseURL: authorBaseUrl, model: authorModel, apiKey: apiKeyOf({ name: authorApiKeyEnv, environment: process.env }) },
    ...(authorPricePrompt === undefined || authorPriceCompletion === undefined
      ? {}
      : { price: { promptPerMillion: authorPricePrompt, completionPerMillion: authorPriceCompletion } }),
  };
}

/** The environment's secrets, and the keys under whatever name they stand. */
function secretsOf({ apiKeyEnv, authorApiKeyEnv }: SynthFlags): Readonly<Record<string, string>> {
  const keys = [apiKeyEnv, authorApiKeyEnv].flatMap((name) => {
    const value = process.env[name] ?? '';
    return value.length >= 8 ? [[name, value]] : [];
  });
  return { ...environmentSecrets(process.env), ...Object.fromEntries(keys) };
}

function interrupted(directory: string): TadpoleError {
  const message = `Interrupted. What was finished is kept in ${directory}; go on with the same command and --resume.`;
  return new TadpoleError({ code: 'aborted', message });
}

/** What failed on the way and can be taken up again, with how that is done; a system call's error as one of storage. */
function withResume(error: unknown, directory: string): unknown {
  const isSystem = error instanceof Error && 'syscall' in error;
  if (!isSystem && !(isTadpoleError(error) && ['engine', 'policy', 'sandbox', 'storage'].includes(error.code))) return error;
  const said = isSystem ? `Expected to write below ${directory}, got: ${error.message}` : error.message;
  const message = `${said}\nWhat was finished is kept in ${directory}; when the cause is mended, go on with the same command and --resume.`;
  return new TadpoleError({ code: isSystem ? 'storage' : error.code, message, cause: error });
}
