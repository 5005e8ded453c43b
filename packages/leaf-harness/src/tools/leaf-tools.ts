import type { AnyTool } from '@tadpole/contracts';
import { createBashTool } from './bash-tool.js';
import { createEditTool } from './edit-tool.js';
import { createGlobTool } from './glob-tool.js';
import { type LeafCapsInput, parseLeafCaps } from './leaf-caps.js';
import { createReadTool } from './read-tool.js';
import { createWriteTool } from './write-tool.js';

/**
 * The five tools of the Leaf harness, in its order: Read, Write, Edit, Glob, Bash (frognano.md section 2.2).
 *
 * @throws TadpoleError `invalid-config` for caps that the schema refuses.
 */
export function leafTools(
  options: {
    /** @default every cap's own default */
    caps?: LeafCapsInput;
    /** Folder of the sandbox for Bash outputs that were shortened. @default '/tmp' */
    outputFolder?: string;
  } = {},
): readonly AnyTool[] {
  const caps = parseLeafCaps(options.caps);
  return [
    createReadTool({ characters: caps.readCharacters }),
    createWriteTool(),
    createEditTool(),
    createGlobTool({ files: caps.globFiles }),
    createBashTool({ seconds: caps.bashSeconds, characters: caps.bashCharacters, outputFolder: options.outputFolder }),
  ];
}
