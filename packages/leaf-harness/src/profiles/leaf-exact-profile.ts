import { defaultSystemPrompt } from '../loop/system-prompt.js';
import { leafExactTools } from '../tools/exact/leaf-exact-tools.js';
import type { LeafCapsInput } from '../tools/leaf-caps.js';
import type { HarnessProfile } from './harness-profile.js';
import { leafExactCallRules } from './leaf-exact-call-rules.js';

/**
 * The released Leaf's behaviour with its losses (frognano.md sections 2.1 and 2.2), to compare with numbers measured on
 * it: malformed arguments become `{}` and the tool is run, outputs keep their head, Write counts characters, Edit works
 * in text mode. Not covered: files above 64 MiB, texts of errors that the reference does not give, the wording of prompt and descriptions,
 * output that the sandbox itself drops before the tool sees it, and a background process that holds a call open, which the sandbox ends.
 *
 * @throws TadpoleError `invalid-config` for caps that the schema refuses.
 */
export function leafExactProfile(
  options: {
    /** @default every cap's own default */
    caps?: LeafCapsInput;
  } = {},
): HarnessProfile {
  return {
    profile: 'leaf-exact',
    systemPrompt: defaultSystemPrompt,
    tools: leafExactTools(options),
    callRules: leafExactCallRules,
  };
}
