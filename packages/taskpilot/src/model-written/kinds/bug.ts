import { excerptAround } from '../excerpt.js';
import { fail, lineOf, placeText, replacementSchema, someText } from '../place-changes.js';
import { showFile } from '../source-file.js';
import type { CandidateKind } from './candidate-kind.js';
import { functionSites } from './function-sites.js';

const schema = replacementSchema.extend({ why: someText });

/** SWE-smith's LM-modify (taskpilot.md section 1): a subtle bug in one given function. */
export const bug: CandidateKind = {
  promptFile: 'bug.md',
  placeholders: ['file', 'functionName', 'source'],
  async *questions({ sources, prompt, maxSourceTokens, random }) {
    for (const { source, target } of await functionSites({ sources, random })) {
      const { file, text } = source;
      const excerpt = excerptAround({ text, lines: target.lines, maxTokens: maxSourceTokens });
      if (excerpt === '') continue;
      yield {
        text: prompt.fill({ file, functionName: target.name, source: showFile({ file, text: excerpt }) }),
        schema,
        read(answer: ReturnType<typeof schema.parse>) {
          if (answer.file !== file) fail('wrong-file', `file is ${answer.file}; expected ${file}.`);
          const edit = placeText({ ...answer, text });
          if (edit.start < target.start || edit.end > target.end) fail('outside-function', `oldText lies outside ${target.name}.`);
          return { edits: [edit], file, line: lineOf({ sources, edit }) };
        },
      };
    }
  },
};
