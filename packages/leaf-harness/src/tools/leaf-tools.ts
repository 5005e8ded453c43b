import type { AnyTool } from '@tadpole/contracts';
import { bashTool } from './bash-tool.js';
import { editTool } from './edit-tool.js';
import { globTool } from './glob-tool.js';
import { readTool } from './read-tool.js';
import { writeTool } from './write-tool.js';

/** The five tools of the Leaf harness, in its order: Read, Write, Edit, Glob, Bash (frognano.md section 2.2). */
export function leafTools(): readonly AnyTool[] {
  return [readTool, writeTool, editTool, globTool, bashTool];
}
