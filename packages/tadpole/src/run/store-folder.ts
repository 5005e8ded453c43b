import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Journal, openJournal } from './journal.js';
import { writeWhole, writing } from './write-whole.js';

/** A locked folder with a journal: what a run and a synthesis are kept in. */
export interface StoreFolder {
  readonly directory: string;
  readonly journal: Journal;
  /** Absolute path below the folder; makes it. */
  folder(name: string): string;
  /** Writes a file below the folder as a whole or not at all. @throws TadpoleError `storage`. */
  writeFile(path: string, content: string): void;
  /** Closes the journal and lets another process open the folder. */
  close(): void;
}

/** Opens the journal of a folder whose lock `release` gives up. */
export function openStoreFolder({ directory, release }: { directory: string; release: () => void }): StoreFolder {
  const journal = openJournal(directory);
  return {
    ...{ directory, journal },
    folder(name) {
      const path = join(directory, name);
      writing(path, () => mkdirSync(path, { recursive: true }));
      return path;
    },
    writeFile: (path, content) => writeWhole({ path: join(directory, path), content }),
    close() {
      journal.close();
      release();
    },
  };
}
