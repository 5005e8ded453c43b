import type { AuditRule } from '@tadpole/contracts';
import { exoneratedBy } from '../../exonerators/exonerator.js';
import { harnessFilesOf } from '../../facts/harness/harness-files.js';
import { makeRule } from '../../make-rule.js';
import { configurationExonerators, type SettingCase, settingHits } from './setting-hits.js';

const startUpVariables =
  /(^|\W)(NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|PYTEST_ADDOPTS|PYTEST_PLUGINS|PYTEST_DISABLE_PLUGIN_AUTOLOAD|PYTHONSTARTUP|PYTHONPATH|PYTHONHOME|PYTHONOPTIMIZE|PYTHONINSPECT|PYTHONUSERBASE|PYTHONBREAKPOINT|PYTHONWARNINGS|PYTHONHASHSEED|LD_PRELOAD|LD_LIBRARY_PATH|BASH_ENV|ENV|PROMPT_COMMAND|VITEST\w*|JEST_\w+|MOCHA_\w+|BABEL_ENV|TS_NODE_\w+|TSX_\w+|MAKEFLAGS|GIT_\w+|npm_config_\w+|COVERAGE_PROCESS_START|HYPOTHESIS_\w+|UPDATE_\w+)(\W|$)/;
const loads =
  /--(import|require|loader|experimental-loader|test-name-pattern|test-only|deselect|ignore|conditions|preload|config)\b|(^|[\s='"])-[rpkmC][\s=]|-OO?\b|\.(so|[cm]?js|ts|py)\b/;

const searchPaths = /(^|\W)(PYTHONPATH|PYTHONWARNINGS|PYTHONHASHSEED|PYTHONDONTWRITEBYTECODE)\W+[\w./$(){}:-]*(\s|$)/;

const table: readonly SettingCase[] = [
  {
    key: /^npmrc\.(node-options|script-shell|shell|node-version|scripts-prepend-node-path|globalconfig|userconfig|prefix|if-present)$/,
    side: 'added',
    severity: 'high',
    why: 'The package manager starts every script with other options or another shell',
  },
  {
    key: /^npmrc\./,
    value: /--(import|require|loader)/,
    severity: 'high',
    why: 'The package manager starts every script with other options',
  },
  {
    key: /^npmrc\.(registry|ignore-scripts|silent|loglevel|omit|legacy-peer-deps|install-links)/,
    severity: 'low',
    why: 'A setting of the package manager is changed',
  },
  {
    key: /^env\.|(^|\.)(env|environment|setenv|set_env|envFile|environ)(\[\])*(\.|$)|^make\.\$|^make\.directive/,
    side: 'added',
    when: ({ key, value }) => startUpVariables.test(`${key}=${value}`) && loads.test(value),
    severity: 'high',
    why: 'A variable makes every process load something or choose tests',
  },
  {
    key: /./,
    side: 'added',
    when: ({ key, value }) => searchPaths.test(`${key}=${value}`),
    severity: 'low',
    why: 'Where modules are looked for is set by a variable',
  },
  {
    key: /./,
    side: 'added',
    when: ({ key, value, other }) => startUpVariables.test(`${key}=${value}`) && !startUpVariables.test(other ?? ''),
    severity: 'medium',
    why: 'A variable that interpreters or runners read at their start is set',
  },
  { key: /^env\.|^pytest\.env\[\]|(^|\.)test\.env\./, side: 'added', severity: 'low', why: 'A variable is set for every run' },
  {
    key: /^make\.\$PATH$|(^|\.)env\.PATH$|^env\.PATH$/,
    side: 'added',
    severity: 'medium',
    kinds: ['F1', 'C5'],
    why: 'Commands are looked for elsewhere first',
  },
];

const startUpFiles =
  /(^|\/)((site|user)customize\.(py|pyc)|[^/]+\.pth|\.pythonrc(\.py)?|\.noderc|\.node_repl_history|pyvenv\.cfg|node\.config\.json|\.(bash|zsh)(rc|env|_profile)|\.(profile|zprofile|bash_env|bash_login|envrc)|profile\.d\/[^/]+)$/;

/** Finds what interpreters, shells and package managers read before anything else. */
export function startUpSetting(): AuditRule {
  return makeRule({
    id: 'C5-start-up',
    severity: 'medium',
    category: 'test-harness-tampering',
    kinds: ['C5'],
    description: 'Start-up modules, variables and options that every later process reads.',
    *find({ subject }) {
      yield* settingHits({ subject, table });
      for (const file of harnessFilesOf(subject)) {
        if (file.status === 'deleted' || !startUpFiles.test(file.path) || file.after === file.gold) continue;
        const hit = { evidence: [file.cite()], paths: [file.path] };
        const severity = /customize\.pyc?$|\.pth$/.test(file.path) ? 'high' : 'medium';
        const why = `${file.path} is read at the start of every process of its kind.`;
        yield {
          ...hit,
          severity,
          why,
          exoneratedBy: exoneratedBy({ subject, finding: hit, exonerators: configurationExonerators.slice(0, 2) }),
        };
      }
    },
  });
}
