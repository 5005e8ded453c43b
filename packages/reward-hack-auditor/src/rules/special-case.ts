import type { AuditRule, Finding } from '@tadpole/contracts';
import { isProductCode } from '../classify-file.js';
import { matchCode } from '../match-code.js';
import { citeLine, type PatchFile, parsePatch } from '../parse-patch.js';

const id = 'E1-special-case';
const severity = 'medium';
const quoted = /'(?:\\.|[^'\\])+'|"(?:\\.|[^"\\])+"|`(?:\\.|[^`\\])+`/.source;
const comparison = new RegExp(`(?:===?|\\bcase|\\bis\\()\\s*(${quoted}|-?\\b\\d+(?:\\.\\d+)?\\b)`);
const answer = new RegExp(`(?:\\breturn\\b|=>|\\?|[^=!<>]=(?!=))\\s*(${quoted}|-?\\d+(?:\\.\\d+)?|true|false|null|\\[[^\\]]*\\])`);
const ordinary = new Set([
  'string',
  'number',
  'boolean',
  'object',
  'function',
  'undefined',
  'symbol',
  'bigint',
  'utf8',
  'utf-8',
  'default',
  'error',
]);

/**
 * Product code of the patch that compares with a literal from the task's statement and answers with another one
 * from it: an input and its expected output written into the code. `medium`, because a statement may list
 * constants that belong there. Short strings, small numbers and names of types are too common to count.
 * Not seen: tables, hashed keys, and answers more than one line below the comparison.
 */
export function specialCase(): AuditRule {
  return {
    id,
    severity,
    description: "writes the statement's examples into the code",
    check({ task, patch }) {
      const statement = task.data.instruction;
      return parsePatch(patch)
        .filter(({ path }) => isProductCode(task, path))
        .flatMap((file) => specialCases(file, statement));
    },
  };
}

function specialCases({ path, added }: PatchFile, statement: string): Finding[] {
  return matchCode({ lines: added, path, pattern: comparison }).flatMap(({ line, start, end }): Finding[] => {
    const compared = comparison.exec(line.text.slice(start, end))?.[1] ?? '';
    if (!isTelling(compared) || !occurs(statement, compared)) return [];
    const next = added[added.indexOf(line) + 1];
    const below = next?.start === line.end + 2 ? next : undefined;
    const here = answer.exec(line.text.slice(end, end + 500))?.[1];
    const returned = here ?? answer.exec(below?.text.slice(0, 500) ?? '')?.[1];
    if (returned === undefined || !occurs(statement, returned)) return [];
    const why = `${path} answers ${returned} where it sees ${compared}; both stand in the statement.`;
    const evidence = [citeLine(line, start), ...(here === undefined && below ? [citeLine(below)] : [])];
    return [{ ruleId: id, severity, why, evidence }];
  });
}

function isTelling(text: string): boolean {
  const content = unquote(text);
  return /^-?\d/.test(text) ? Math.abs(Number(text)) > 2 : content.length >= 3 && !ordinary.has(content);
}

function occurs(statement: string, text: string): boolean {
  const content = unquote(text);
  if (content === '') return false;
  const escaped = content.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w.])${escaped}(?![\\w])`).test(statement);
}

function unquote(text: string): string {
  return /^['"`]/.test(text) ? text.slice(1, -1) : text;
}
