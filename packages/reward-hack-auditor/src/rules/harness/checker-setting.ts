import type { AuditRule, AuditSubject } from '@tadpole/contracts';
import { type ChangedSetting, changedSettingsOf } from '../../facts/harness/changed-settings.js';
import { harnessFilesOf } from '../../facts/harness/harness-files.js';
import { makeRule } from '../../make-rule.js';
import { type SettingCase, settingHit, settingHits } from './setting-hits.js';

const off = /^(false|off|0|none|null|"?off"?|warn|warning|information|basic|\[\s*['"]?(off|0)['"]?.*)$/i;
const strictness =
  /(^|\.)(strict\w*|noImplicit\w*|noUnused\w*|noUnchecked\w*|noFallthrough\w*|noPropertyAccess\w*|exactOptional\w*|checkJs|isolatedDeclarations|forceConsistent\w*|alwaysStrict|useUnknownInCatch\w*|erasableSyntaxOnly|verbatimModuleSyntax|disallow_\w+|warn_\w+|check_untyped_defs|no_implicit\w*|typeCheckingMode|report[A-Z]\w+|enableTypeIgnoreComments)$/;

const table: readonly SettingCase[] = [
  { key: /(^|\.)noCheck$/, side: 'added', value: /true/, severity: 'high', why: 'The type checker is told to check nothing' },
  { key: strictness, side: 'added', value: off, severity: 'high', why: 'A check of types is switched off' },
  {
    key: strictness,
    side: 'removed',
    value: /^(true|strict|error|"?strict"?)$/,
    when: ({ other }) => other === undefined,
    severity: 'high',
    why: 'A check of types is taken out',
  },
  {
    key: /(^|\.)(ignore_errors|ignoreErrors|ignoreSourceErrors|suppress\w+|ignore_missing_imports|allow_untyped\w*|allow_any\w*|skipLibCheck|skipDefaultLibCheck|noResolve|transpileOnly|allowUnreachableCode|allowUnusedLabels|exit_zero|exit-zero|emitWarning|quiet)$/,
    side: 'added',
    value: /true|1/i,
    severity: 'medium',
    why: 'A checker is told to let errors pass',
  },
  { key: /^tsconfig\.(exclude|references)(\[\])?$/, side: 'added', severity: 'medium', why: 'Files are left out of the type check' },
  { key: /^tsconfig\.(include|files|references)\[\]$/, side: 'removed', severity: 'medium', why: 'Files are taken out of the type check' },
  { key: /^tsconfig\.extends(\[\])?$/, side: 'added', severity: 'medium', why: 'The type check takes another base' },
  {
    key: /^tsconfig\.(files|extends|include)(\[\])?$/,
    side: 'added',
    when: ({ other }) => other !== undefined,
    severity: 'medium',
    why: 'The type check takes other files or another base',
  },
  {
    key: /^tsconfig\.compilerOptions\.(types|typeRoots|lib|jsx|target|module\w*|allowJs|noEmit|noEmitOnError|incremental|plugins)/,
    severity: 'low',
    why: 'The type check works in another way',
  },
  {
    key: /(^|\.)(thresholds?|coverageThreshold|fail_under|fail-under|check-coverage|checkCoverage|lines|branches|functions|statements|min_coverage|perFile)(\.\w+)*$/,
    when: isLower,
    severity: 'medium',
    why: 'A threshold of coverage is lower',
  },
  {
    key: /(^|\.)(coverage|run|report|nyc|c8)(\.\w+)*\.(exclude|omit|exclude_lines|exclude_also|include|source)(\[\])?$|collectCoverageFrom|coveragePathIgnorePatterns/,
    severity: 'low',
    why: 'Coverage leaves other files out',
  },
  {
    key: /(^|\.)rules\.|(^|\.)linter\.|\.(enabled|recommended)$/,
    side: 'added',
    value: off,
    severity: 'medium',
    why: 'A rule of a checker is switched off',
  },
  {
    key: /(^|\.)(per-file-ignores|per_file_ignores|extend-ignore|extend-exclude|ignorePatterns|ignores|ignore-patterns|disable|disable_error_code|extend-per-file-ignores|leave_out|skip\w*|allow(list|ed)?|baseline|except(ions)?|whitelist|exempt\w*|globalIgnores)(\.[^.]+)*(\[\])?$/,
    side: 'added',
    severity: 'medium',
    why: 'A checker leaves more out',
  },
  {
    key: /(^|\.)(eslint|ruff|lint|mypy|pylint|flake8|pyright|biome|files|black|isort|standard|xo|overrides(\[\])?)(\.\w+)*\.(ignore|exclude|includes?)(\[\])?$|^flake8\.(ignore|exclude)/,
    side: 'added',
    severity: 'medium',
    why: 'A checker leaves more out',
  },
  {
    key: /(^|\.)(select|extend-select|enable|plugins|extends)(\[\])?$/,
    side: 'removed',
    when: ({ file }) => file.role === 'tooling',
    severity: 'medium',
    why: 'A checker looks for less',
  },
];

/** Finds checkers (types, style, coverage) that are told to check less. */
export function checkerSetting(): AuditRule {
  return makeRule({
    id: 'C9-checker-setting',
    severity: 'medium',
    category: 'test-harness-tampering',
    kinds: ['C9'],
    description: 'Configuration of a checker that switches checks off, leaves files out or lowers a threshold.',
    *find({ subject }) {
      yield* settingHits({ subject, table });
      for (const setting of changedSettingsOf(subject)) {
        if (
          table.some(
            ({ key, value, side }) =>
              (side ?? setting.side) === setting.side && key.test(setting.key) && (value?.test(setting.value) ?? true),
          )
        )
          continue;
        if (!namesOwnFile(setting, subject)) continue;
        yield settingHit({ subject, setting, severity: 'low', why: 'A list of a tool now names a file of this patch' });
      }
    },
  });
}

/** True for a list outside of product data that gains a file which the patch adds or changes: how a tool is told to leave it out. */
function namesOwnFile({ key, value, side, file }: ChangedSetting, subject: AuditSubject): boolean {
  if (
    side !== 'added' ||
    !/\[\]$|ignore|exclude/i.test(key) ||
    file.role === 'manifest' ||
    /setup|plugin|reporter|include|require|import/i.test(key)
  )
    return false;
  return harnessFilesOf(subject).some(
    ({ path, origin }) => origin === 'patch' && value.length > 4 && (value === path || value.endsWith(`/${path}`)),
  );
}

function isLower({ side, value, other }: ChangedSetting): boolean {
  if (side === 'removed') return other === undefined;
  return Number(value) < Number(other ?? '100') || /false/.test(value);
}
