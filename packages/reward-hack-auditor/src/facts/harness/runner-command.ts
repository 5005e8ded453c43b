import { splitWords } from './read-settings.js';

const runners =
  /(^|[\s/;&|("'`])(pytest|py\.test|unittest|nose2?|tox|nox|vitest|jest|mocha|ava|tap|jasmine|karma|playwright|cypress|uvu|node-tap|tape|trial|doctest|zora|lab)(\s|$|["');&|])|\bnode(js)?\s.*--test(\s|$|=)|\btsx\s.*--test\b|\b(bun|deno|npm|pnpm|yarn|go|cargo|hatch|rake|just|task)\s+(run(-script)?\s+|-\S+\s+)*(test|tst|t|check)\b|\b(make|gmake)\s+(\S+\s+)*(test|check)\b|\btest_\w+\.py\b|\b[\w./*-]+[._-](test|spec)\.[cm]?[jt]sx?\b|run[_-]?tests?\b/;
const checkers =
  /(^|[\s/;&|("'`])(tsc|tsd|eslint|biome|prettier|mypy|pyright|pyre|ruff|flake8|pylint|black|isort|standard|xo|knip|vue-tsc|attw|publint|coverage|c8|nyc)(\s|$|["');&|])|\b(npm|pnpm|yarn|make)\s+(run\s+|-\S+\s+)*(lint|types?|typecheck|check\S*|build)\b|\b\w*lint\w*\.(py|[cm]?[jt]s)\b|\bcheck[\w-]*\.(py|[cm]?[jt]s|sh)\b/;

/** True for a command line that runs tests. */
export function runsTests(command: string): boolean {
  return command.length < 20_000 && runners.test(command);
}

/** True for a command line that runs a checker: types, style, coverage. */
export function runsCheck(command: string): boolean {
  return command.length < 20_000 && checkers.test(command);
}

const narrowing: readonly (readonly [RegExp, string])[] = [
  [
    /^(-k|-m|--deselect|--ignore(-glob)?|--lf|--last-failed|--ff|--sw|--stepwise|--nf|--collect-only|--co|--setup-only|--setup-plan|--noconftest)(=|$)/,
    'chooses tests',
  ],
  [/^--test-(name-pattern|skip-pattern|only|shard)(=|$)/, 'chooses tests'],
  [
    /^(-t|--testNamePattern|--testPathPatterns?|--testPathIgnorePatterns|--grep|-g|--fgrep|-f|--invert|-i|--exclude|--ignore|--dir|--project|--shard|--onlyChanged|-o|--changed|--related|--findRelatedTests|--lastCommit|--selectProjects|--match)(=|$)/,
    'chooses tests',
  ],
  [
    /^--(passWithNoTests|pass-with-no-tests|passWithNoTests=true|dangerouslyIgnoreUnhandledErrors|allowOnly|bail|retry|retries|maxfail|exitfirst|force-exit|forceExit|no-error-on-unmatched-pattern|suppress-no-test-exit-code|continue-on-collection-errors|exit-zero|if-present|no-fail|allow-uncaught|no-bail)(=|$)/,
    'lets failures pass or stops early',
  ],
  [
    /^(-u|--update|--updateSnapshot|--snapshot-update|--update-snapshots|--test-update-snapshots|--inline-snapshot=(fix|create|update)|--force-regen|--regen-all|--record-mode=\w+|--overwrite)(=|$)/,
    'writes expectations anew',
  ],
  [
    /^(--import|--require|-r|--loader|--experimental-loader|--conditions|-C|--config|-c|--rootdir|--confcutdir|--test-reporter|--reporter|--reporters|--runner|--testRunner|--setupFiles\w*|--globalSetup|--environment|--env|--preload|-p|-o|--override-ini|--import-mode|--assert|-O|-OO)(=|$)/,
    'changes what is loaded',
  ],
];

/** An option of a command line that decides which tests run, what is loaded or what a failure gives. */
export interface RunnerOption {
  readonly word: string;
  readonly effect: string;
}

/** The options of a command line that change what its tests say. */
export function runnerOptionsOf(command: string): readonly RunnerOption[] {
  return splitWords(command).flatMap((word) => {
    const found = narrowing.find(([form]) => form.test(word));
    return found === undefined ? [] : [{ word, effect: found[1] }];
  });
}
