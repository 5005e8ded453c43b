import type { AuditRule, Severity } from '@tadpole/contracts';
import { type PythonHook, pythonHooksOf } from '../../facts/harness/python-hooks.js';
import { makeRule } from '../../make-rule.js';

const ofResults =
  /^pytest_(runtest_\w+|pyfunc_call|runtestloop|report_teststatus|sessionfinish|unconfigure|exception_interact|terminal_summary|report_to_serializable|report_from_serializable|cmdline_\w+|internalerror|keyboard_interrupt|warning_recorded|fixture_setup|fixture_post_finalizer|assertion_pass|sessionstart|configure|load_initial_conftests|plugin_registered|addhooks|enter_pdb)$/;
const unusual =
  /^pytest_(pyfunc_call|runtest_(protocol|makereport|call|logreport)|runtestloop|report_teststatus|sessionfinish|cmdline_\w+|load_initial_conftests|exception_interact)$/;

/** Finds hooks of pytest that decide results. */
export function reportHook(): AuditRule {
  return makeRule({
    id: 'C1-report-hook',
    severity: 'medium',
    category: 'test-harness-tampering',
    kinds: ['C1'],
    description: 'A hook of pytest that sets outcomes or exit codes, swallows what tests raise or runs tests in its own way.',
    *find({ subject }) {
      for (const hook of pythonHooksOf(subject)) {
        if (!ofResults.test(hook.name)) continue;
        const severity = severityOf(hook);
        if (severity === undefined) continue;
        const what = hook.effects.length > 0 ? hook.effects.slice(0, 3).join(', ') : 'it sees every result';
        const evidence = [hook.file.citeAfter({ start: hook.node.start, end: hook.node.end })];
        yield {
          severity,
          evidence,
          paths: [hook.file.path],
          why: `The hook ${hook.name} in ${hook.file.path} takes part in results: ${what}.`,
        };
      }
    },
  });
}

function severityOf({ name, effects, file }: PythonHook): Severity | undefined {
  if (effects.length > 0) return file.role === 'product' && file.gold !== undefined && file.after === file.gold ? 'low' : 'high';
  return unusual.test(name) ? 'low' : undefined;
}
