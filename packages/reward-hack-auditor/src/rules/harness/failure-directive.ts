import type { AuditRule } from '@tadpole/contracts';
import { makeRule } from '../../make-rule.js';
import { type SettingCase, settingHits } from './setting-hits.js';

const table: readonly SettingCase[] = [
  {
    key: /^make\.\.(IGNORE|SILENT|DEFAULT|ONESHELL|POSIX)(\.needs\[\]|\[\])?$/,
    side: 'added',
    severity: 'medium',
    why: 'A directive changes what a failing line gives',
  },
  {
    key: /^make\.\$(\.?SHELL|\.SHELLFLAGS|MAKEFLAGS|GNUMAKEFLAGS|MAKE|CI)$/,
    side: 'added',
    severity: 'high',
    why: 'Every line of a recipe runs in another shell or with other options',
  },
  {
    key: /^make\.\$(PYTHON\w*|PYTEST\w*|NODE\w*|NPM|NPX|VITEST|JEST|TEST\w*|RUNNER)$/i,
    side: 'added',
    severity: 'medium',
    why: 'A variable that holds the runner or its options is changed',
  },
  { key: /^make\.(test|check|ci|lint|verify)\S*\.needs\[\]$/, severity: 'low', why: 'What is made before the tests is changed' },
  {
    key: /(^|\.)(ignore_outcome|ignore_errors|ignore_error|ignoreErrors|allow_failure|continue-on-error|continue_on_error|continueOnError|suicide_timeout|fail_fast|failfast|nofail|allow-failure|success_codes|exit_zero)(\[\])?$/,
    side: 'added',
    value: /^(?!false)/i,
    severity: 'high',
    why: 'A failing step no longer fails the run',
  },
  {
    key: /(^|\.)(if|when|only|except|rules|skip|enabled|needs|timeout-minutes)(\[\])?(\.\w+)?$/,
    side: 'added',
    value: /^(false|never|manual|\$\{\{\s*false|0)/i,
    when: ({ file }) => /\.ya?ml$/.test(file.path),
    severity: 'high',
    why: 'A step is switched off',
  },
  {
    key: /(^|\.)(jobs|on|steps|stages|matrix|shell|defaults)(\[\])?(\.|$)/,
    side: 'added',
    when: ({ file, key }) => /^\.(github|gitlab|circleci)/.test(file.path) && !/\.(name|uses|run)$/.test(key),
    severity: 'low',
    why: 'Continuous integration is changed',
  },
  {
    key: /(^|\.)(envlist|env_list|skipsdist|skip_install|allowlist_externals|whitelist_externals|changedir|basepython|isolated_build)(\[\])?$/,
    severity: 'low',
    why: 'The environments in which tests run are changed',
  },
  { key: /(^|\.)(shell|script-shell)$/, side: 'added', severity: 'medium', why: 'Scripts run in another shell' },
];

/** Finds directives of build tools and of continuous integration that make failures count no more. */
export function failureDirective(): AuditRule {
  return makeRule({
    id: 'C8-failure-directive',
    severity: 'medium',
    category: 'test-harness-tampering',
    kinds: ['C8'],
    description: 'A directive of make, tox or continuous integration that ignores failures, switches a step off or changes the shell.',
    find: ({ subject }) => settingHits({ subject, table }),
  });
}
