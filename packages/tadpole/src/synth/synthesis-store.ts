import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import { settingsHash } from '../run/settings-hash.js';
import { openStoreFolder, type StoreFolder } from '../run/store-folder.js';
import { takeLock } from '../run/take-lock.js';
import { writeWhole, writing } from '../run/write-whole.js';

/** What a synthesis was begun with, as plain JSON without secrets. What may differ when it is resumed, such as its budget, is left out. */
export type SynthesisSettings = Readonly<Record<string, unknown>>;

/** A synthesis's folder while one process owns it. */
export interface SynthesisStore extends StoreFolder {
  readonly settingsHash: string;
  /** True when it goes on with what the folder holds. */
  readonly resumed: boolean;
}

const fileName = 'synthesis.json';
const fileSchema = z.strictObject({
  createdAt: z.string(),
  settingsHash: z.string(),
  settings: z.record(z.string(), z.unknown()),
});

/**
 * Makes the folder of a new synthesis and takes its lock.
 * @throws TadpoleError `invalid-input` for a folder that holds anything, `storage` when it cannot be written.
 */
export function createSynthesisStore(options: { directory: string; settings: SynthesisSettings; now: () => Date }): SynthesisStore {
  const { directory, settings, now } = options;
  const held = existsSync(directory) ? entriesOf(directory).filter((name) => name !== 'lock') : [];
  if (held.length > 0) {
    const found = held.includes(fileName) ? 'already holds a synthesis. Resume it' : `holds ${held.slice(0, 3).join(', ')}. Empty it`;
    const message = `Expected a new or an empty folder for the synthesis, but ${directory} ${found}, or choose another folder.`;
    throw new TadpoleError({ code: 'invalid-input', message });
  }
  writing(directory, () => mkdirSync(directory, { recursive: true }));
  const release = takeLock(directory);
  const content = { createdAt: now().toISOString(), settingsHash: settingsHash(settings), settings };
  writeWhole({ path: join(directory, fileName), content: `${JSON.stringify(content, null, 2)}\n` });
  return openStore({ directory, settings, resumed: false, release });
}

/** What a folder of a synthesis was begun with. @throws TadpoleError `invalid-input` for a folder that holds none. */
export function readSynthesisSettings({ directory }: { directory: string }): SynthesisSettings {
  return readSettings(join(directory, fileName)).settings;
}

/**
 * Opens the folder of a synthesis to go on with it.
 * @throws TadpoleError `invalid-input` for a folder that holds none, or one that was begun with other settings, which the
 * message names; `storage` when another process has it.
 */
export function resumeSynthesisStore(options: { directory: string; settings: SynthesisSettings }): SynthesisStore {
  const { directory, settings } = options;
  const begun = readSettings(join(directory, fileName));
  if (begun.settingsHash !== settingsHash(settings)) {
    const names = [...new Set([...Object.keys(begun.settings), ...Object.keys(settings)])];
    const others = names.filter((name) => settingsHash({ value: begun.settings[name] }) !== settingsHash({ value: settings[name] }));
    const said = others.map((name) => `${name} was ${text(begun.settings[name])} and is ${text(settings[name])}`);
    const differ = said.length === 0 ? 'the file was changed' : said.join('; ');
    const message = `Expected the settings that ${directory} was begun with, got others: ${differ}. Give the same ones, or begin in another folder.`;
    throw new TadpoleError({ code: 'invalid-input', message });
  }
  return openStore({ directory, settings, resumed: true, release: takeLock(directory) });
}

function openStore(options: { directory: string; settings: SynthesisSettings; resumed: boolean; release: () => void }): SynthesisStore {
  const { directory, settings, resumed, release } = options;
  return { ...openStoreFolder({ directory, release }), resumed, settingsHash: settingsHash(settings) };
}

function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (cause) {
    const message = `Expected a folder for the synthesis at ${directory}, got: ${(cause as Error).message}`;
    throw new TadpoleError({ code: 'invalid-input', message, cause });
  }
}

function readSettings(path: string): z.infer<typeof fileSchema> {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    const problem = cause instanceof z.ZodError ? z.prettifyError(cause) : (cause as Error).message;
    const message = `Expected the folder of a synthesis with a readable ${path}, got: ${problem}. Begin a new one without resuming.`;
    throw new TadpoleError({ code: 'invalid-input', message, cause });
  }
}

function text(value: unknown): string {
  return value === undefined ? 'not set' : JSON.stringify(value);
}
