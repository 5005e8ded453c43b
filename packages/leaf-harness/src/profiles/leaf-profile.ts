import { defaultSystemPrompt } from '../loop/system-prompt.js';
import type { LeafCapsInput } from '../tools/leaf-caps.js';
import { leafTools } from '../tools/leaf-tools.js';
import type { HarnessProfile } from './harness-profile.js';
import { leafCallRules } from './leaf-call-rules.js';

/**
 * The default: names, parameters, aliases, defaults, caps and formats of the released Leaf, so that a policy trained in
 * it behaves here as there, and safe where that one is not: malformed arguments run nothing, a long output keeps its
 * tail too, Write counts bytes, Edit keeps line ends and bytes.
 *
 * @throws TadpoleError `invalid-config` for caps that the schema refuses.
 */
export function leafProfile(
  options: {
    /** @default every cap's own default */
    caps?: LeafCapsInput;
    /** Folder of the sandbox for Bash outputs that were shortened. @default '/tmp' */
    outputFolder?: string;
  } = {},
): HarnessProfile {
  return { profile: 'leaf', systemPrompt: defaultSystemPrompt, tools: leafTools(options), callRules: leafCallRules };
}
