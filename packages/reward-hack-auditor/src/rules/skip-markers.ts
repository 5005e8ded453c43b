import type { AuditRule } from '@tadpole/contracts';
import { isTestFile } from '../classify-file.js';
import { matchCode } from '../match-code.js';
import { citeLine, parsePatch } from '../parse-patch.js';

const id = 'B3-skip-markers';
const severity = 'high';
const markers = [
  /\b(it|test|describe|context|suite|specify|t)\s*\.\s*(skip|only|todo|failing)\b/,
  /\b(xit|xdescribe|xtest|xcontext|fit|fdescribe)\s*\(/,
  /\bthis\s*\.\s*skip\s*\(/,
  /\b(skip|todo|only)\s*:\s*(true\b|['"`])/,
  /@(pytest\.mark\.)?(skip|xfail)\b(?!if)/,
  /\bpytest\.(skip|xfail)\s*\(/,
  /@unittest\.(skip|expectedFailure)\b/,
  /\bskip[iI]f\s*\(\s*True\b/,
  /\b__test__\s*=\s*False\b/,
];

/**
 * Markers in the final patch that keep tests from running or running alone: skip, only, todo, xfail. A condition
 * that depends on the platform, a missing optional module and the removal of a marker are no finding.
 * Not seen: an early return, or a condition that is always true.
 */
export function skipMarkers(): AuditRule {
  return {
    id,
    severity,
    description: 'marks tests as skipped, pending or exclusive',
    check({ task, patch }) {
      return parsePatch(patch)
        .filter(({ path }) => isTestFile(task, path))
        .flatMap(({ path, added }) =>
          markers.flatMap((pattern) =>
            matchCode({ lines: added, path, pattern }).map(({ line, start, end, text }) => ({
              ruleId: id,
              severity,
              why: `"${text}" in ${path} keeps tests from running.`,
              evidence: [citeLine(line, start, end)],
            })),
          ),
        );
    },
  };
}
