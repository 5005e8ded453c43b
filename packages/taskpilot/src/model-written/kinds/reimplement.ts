import type { SpanEdit } from '@tadpole/contracts';
import { z } from 'zod';
import { squeeze } from '../../squeeze.js';
import { excerptAround } from '../excerpt.js';
import { fail, lineOf, someText } from '../place-changes.js';
import { showFile } from '../source-file.js';
import type { CandidateKind } from './candidate-kind.js';
import { functionSites } from './function-sites.js';

const schema = z.strictObject({ code: someText });
const missingBody = '<body>';

/** SWE-smith's LM-rewrite (taskpilot.md section 1): a function written anew from all but its body; where the tests notice, that is the bug. */
export const reimplement: CandidateKind = {
  promptFile: 'reimplement.md',
  placeholders: ['file', 'functionName', 'source'],
  async *questions({ sources, prompt, maxSourceTokens, random }) {
    for (const { source, target } of await functionSites({ sources, random })) {
      const { file, text } = source;
      const { body } = target;
      const without = text.slice(0, body.start) + missingBody + text.slice(body.end);
      const removedLines = text.slice(body.start, body.end).split('\n').length - 1;
      const lines = { start: target.lines.start, end: target.lines.end - removedLines };
      const excerpt = excerptAround({ text: without, lines, maxTokens: maxSourceTokens });
      if (excerpt === '') continue;
      yield {
        text: prompt.fill({ file, functionName: target.name, source: showFile({ file, text: excerpt }) }),
        schema,
        read({ code: answered }: ReturnType<typeof schema.parse>) {
          const code = answered.trim();
          const signature = text.slice(target.start, body.start);
          if (!squeeze(code).startsWith(squeeze(signature))) fail('wrong-signature', `code must begin with ${signature.trim()}`);
          if (squeeze(code) === squeeze(text.slice(target.start, target.end))) fail('no-change', 'the code is what it was.');
          const edit: SpanEdit = {
            file,
            start: target.start,
            end: target.end,
            text: text.includes('\r\n') ? code.replace(/\r?\n/g, '\r\n') : code,
          };
          return { edits: [edit], file, line: lineOf({ sources, edit }) };
        },
      };
    }
  },
};
