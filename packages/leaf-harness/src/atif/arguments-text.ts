import { TadpoleError } from '@tadpole/contracts';
import type { AtifStep } from './atif-document.js';
import { callExtraSchema } from './atif-extra.js';
import { parseAtif } from './parse-atif.js';

/** The arguments of a call as the text that the model wrote. @throws TadpoleError `invalid-input` for an object that has no text: it is cyclic, or too deep. */
export function argumentsText(call: NonNullable<AtifStep['tool_calls']>[number], step: AtifStep): string {
  if (call.extra?.tadpole !== undefined) return parseAtif(callExtraSchema, call.extra.tadpole, `step ${step.step_id}`).arguments;
  try {
    return JSON.stringify(call.arguments);
  } catch (cause) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `ATIF step ${step.step_id}: expected arguments that JSON can hold, received others (${(cause as Error).message.split('\n')[0]}).`,
      cause,
    });
  }
}
