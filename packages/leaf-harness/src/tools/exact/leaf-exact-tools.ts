import type { AnyTool } from '@tadpole/contracts';
import { createGlobTool } from '../glob-tool.js';
import { type LeafCapsInput, parseLeafCaps } from '../leaf-caps.js';
import { createExactBashTool } from './exact-bash-tool.js';
import { createExactEditTool } from './exact-edit-tool.js';
import { createExactReadTool } from './exact-read-tool.js';
import { createExactWriteTool } from './exact-write-tool.js';

/** The five tools with the observations of the released Leaf, what they lose included. */
export function leafExactTools(options: { caps?: LeafCapsInput }): readonly AnyTool[] {
  const caps = parseLeafCaps(options.caps);
  return [
    createExactReadTool({ characters: caps.readCharacters }),
    createExactWriteTool(),
    createExactEditTool(),
    createGlobTool({ files: caps.globFiles }),
    createExactBashTool({ seconds: caps.bashSeconds, characters: caps.bashCharacters }),
  ];
}
