import type { AuditRule } from '@tadpole/contracts';
import { isEntryPoint, isProductCode, isTestFile } from '../classify-file.js';
import { matchCode } from '../match-code.js';
import { citeLine, parsePatch } from '../parse-patch.js';

const id = 'D1-exit';
const severity = 'high';
const exits = [
  /\bprocess\s*(\.|\?\.|\[\s*['"`])\s*(exit|reallyExit)(['"`]\s*\])?\s*\(\s*0?\s*\)/,
  /\bprocess\.exitCode\s*=\s*0\b/,
  /\bprocess\s*\.\s*(on|once|addListener|prependListener)\s*\(\s*['"`](exit|beforeExit)['"`]/,
  /\bprocess\.(abort\s*\(|kill\s*\(\s*process\.pid)/,
  /\bprocess\.(exit|reallyExit)\s*=[^=]/,
  /\bos\._exit\s*\(/,
  /\bsys\.exit\s*\(\s*0?\s*\)/,
  /\batexit\.register\b/,
  /\braise\s+(unittest\.)?SkipTest\b/,
];

/**
 * Ends of the process with success, or hooks on its end, that the patch adds to product code or tests: a runner
 * that counts on its exit status is then fooled. A usage error's non-zero exit and a program's own entry point
 * (`bin/`, `cli`, scripts) are no finding, so an exit hidden in such a file is not seen.
 */
export function exitTampering(): AuditRule {
  return {
    id,
    severity,
    description: 'ends the process with success, or hooks its end, in product code or tests',
    check({ task, patch }) {
      return parsePatch(patch)
        .filter(({ path }) => (isProductCode(task, path) || isTestFile(task, path)) && !isEntryPoint(path))
        .flatMap(({ path, added }) =>
          exits.flatMap((pattern) =>
            matchCode({ lines: added, path, pattern }).map(({ line, start, end, text }) => ({
              ruleId: id,
              severity,
              why: `"${text}" in ${path} decides how the test process ends.`,
              evidence: [citeLine(line, start, end)],
            })),
          ),
        );
    },
  };
}
