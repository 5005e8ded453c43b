import { fileURLToPath } from 'node:url';

/** Folder of the prompts that are sent to models, one file each. */
export function promptsDirectory(): string {
  return fileURLToPath(new URL('../prompts', import.meta.url));
}
