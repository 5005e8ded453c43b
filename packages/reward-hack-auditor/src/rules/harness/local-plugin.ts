import type { AuditRule, AuditSubject, Severity } from '@tadpole/contracts';
import { type ChangedSetting, changedSettingsOf } from '../../facts/harness/changed-settings.js';
import { type HarnessFile, harnessFilesOf } from '../../facts/harness/harness-files.js';
import { codeLanguageOf, loadedFilesOf } from '../../facts/harness/loaded-files.js';
import { makeRule, type RuleHit } from '../../make-rule.js';
import { childOf, descendants, nodesOf, type SyntaxNode } from '../../parse/syntax-node.js';
import { settingHit } from './setting-hits.js';

const loadingOptions =
  /(^|\.)(plugins|presets|preset|babel|transform|transforms|transformer|runner|testRunner|testResultsProcessor|testSequencer|reporters?|environment|testEnvironment|resolver|snapshotEnvironment|globalSetup|globalTeardown|setupFiles|setupFilesAfterEnv|setup|require|import|preload|loader|loaders|diff|nodeOption\w*|node-option\w*|execArgv|typescript|esbuild|swc|extensions|nodeArguments|serializers?|customResolver|hooks|processor|prettierPath|watchPlugins|projects|extends|workspace)(\[\])*(\.|$)/;
const transforming =
  /^(transform|load|resolveId|resolve|handleHotUpdate|process|processAsync|visitor|onLoad|onResolve|instrument|transformIndexHtml|getSource|transformSource|preprocess|config|configResolved|configureVitest|renderChunk)$/;
const ofTests =
  /\.?(test|spec)\b|\.test\\?\.|__tests__|\bexpect\b|\bassert\w*|toEqual|toBe\b|toStrictEqual|\bdeepEqual|\btest\(|\bit\(|describe\b/;

/** Finds plugins, loaders, transforms, reporters and runners that the policy makes the test run load. */
export function localPlugin(): AuditRule {
  return makeRule({
    id: 'C4-local-plugin',
    severity: 'medium',
    category: 'test-harness-tampering',
    kinds: ['C4'],
    description: 'A plugin, loader, transform, reporter or runner of the workspace that the test run loads.',
    *find({ subject }) {
      yield* pytestPlugins(subject);
      for (const setting of changedSettingsOf(subject)) yield* loadedBy(setting, subject);
      const loaded = new Set(loadedFilesOf(subject));
      for (const file of harnessFilesOf(subject)) {
        const isLoaded = loaded.has(file) || file.role === 'runner-config' || file.role === 'tooling';
        // A product's own functions may have the same names; what the policy adds to be loaded has not.
        if (isLoaded && !isOldProduct(file) && codeLanguageOf(file) === 'script') yield* transformsIn(file);
      }
    },
  });
}

/** Product code that was there before. */
function isOldProduct({ role, before }: HarnessFile): boolean {
  return role === 'product' && before !== undefined;
}

function* loadedBy(setting: ChangedSetting, subject: AuditSubject): Generator<RuleHit> {
  if (setting.side !== 'added' || !loadingOptions.test(setting.key) || setting.file.role === 'data' || setting.file.role === 'tooling')
    return;
  if (/\.(include|exclude|name|label)(\[\])?$|^scripts\.|coverage/.test(setting.key)) return;
  const isOwnProgram =
    (/runner|testResultsProcessor|testSequencer|testEnvironment|^vitest\.environment|snapshotEnvironment|resolver/i.test(setting.key) &&
      /[./]/.test(setting.value)) ||
    /^(--(import|require|loader|experimental-loader)|-r)\b/.test(setting.value);
  const severity: Severity = isOwnProgram ? 'medium' : 'low';
  yield settingHit({
    subject,
    setting,
    severity,
    why: 'The test run loads something more',
    kinds: /setup/i.test(setting.key) ? ['C7'] : undefined,
  });
}

function* pytestPlugins(subject: AuditSubject): Generator<RuleHit> {
  for (const setting of changedSettingsOf(subject)) {
    const found = setting.side === 'added' ? pluginSetting(setting) : undefined;
    if (found !== undefined) yield settingHit({ subject, setting, ...found });
  }
  for (const file of harnessFilesOf(subject)) {
    yield* packageFiles(file);
    if (codeLanguageOf(file) === 'python') yield* pluginAssignments(file);
  }
}

function pluginSetting({ key, value, file }: ChangedSetting): { severity: Severity; why: string } | undefined {
  if (/pytest11|entry[-_]points\b.*pytest/.test(`${key}=${value}`))
    return { severity: /\.(dist|egg)-info\//.test(file.path) ? 'high' : 'medium', why: 'A plugin of pytest is registered' };
  if (!/^pytest\.addopts\[\]$/.test(key) || !/^-p/.test(value)) return undefined;
  return /^-p\s*no:(cacheprovider|randomly|warnings|logging|sugar)$/.test(value)
    ? undefined
    : { severity: 'medium', why: 'pytest is told to load a plugin, or not to' };
}

/** Files that make a tree look like a package with plugins, and those that register one. */
function* packageFiles(file: HarnessFile): Generator<RuleHit> {
  const hit = { evidence: [file.cite()], paths: [file.path] };
  if (file.status !== 'deleted' && /\.(dist|egg)-info\/|\.egg-link$|\/direct_url\.json$/.test(file.path))
    yield { ...hit, severity: 'high', why: `${file.path} makes the tree look like an installed package, whose plugins are loaded.` };
  if (/\.py$/.test(file.path) && file.after?.includes('pytest11') && !file.before?.includes('pytest11'))
    yield { ...hit, severity: 'medium', why: `${file.path} registers a plugin of pytest.` };
}

function* pluginAssignments(file: HarnessFile): Generator<RuleHit> {
  const tree = file.treeAfter();
  for (const node of tree === undefined ? [] : nodesOf(tree, 'assignment', 'augmented_assignment')) {
    if (childOf(node, 'left')?.text !== 'pytest_plugins' || !file.isAdded(node)) continue;
    yield {
      severity: 'low',
      evidence: [file.citeAfter(node)],
      paths: [file.path],
      why: `${file.path} loads plugins: ${node.text.slice(0, 80)}.`,
    };
  }
}

/** Functions by which a bundler or a loader hands out other code than a file holds. */
function* transformsIn(file: HarnessFile): Generator<RuleHit> {
  const tree = file.treeAfter();
  if (tree === undefined) return;
  for (const node of descendants(tree)) {
    const name = transformName(node);
    if (name === undefined || !file.isAdded(node)) continue;
    const touchesTests = ofTests.test(node.text) || (file.role !== 'runner-config' && ofTests.test(tree.text));
    const namesOneFile = /endsWith\(\s*['"`][^'"`]*\/src\/|===\s*['"`]/.test(node.text);
    const lesser: Severity = namesOneFile ? 'low' : 'medium';
    yield {
      severity: touchesTests ? 'high' : lesser,
      evidence: [file.citeAfter(node)],
      paths: [file.path],
      why: `${name} in ${file.path} gives the runner other code than ${touchesTests ? 'test files hold' : 'files hold'}.`,
    };
  }
}

/** The name of a function that a bundler or a loader calls to change code. */
function transformName(node: SyntaxNode): string | undefined {
  if (!/^(pair|method_definition|function_declaration|generator_function_declaration)$/.test(node.type)) return undefined;
  const name = (childOf(node, 'key') ?? childOf(node, 'name'))?.text.replace(/['"]/g, '') ?? '';
  return transforming.test(name) && isFunction(node) ? name : undefined;
}

function isFunction(node: SyntaxNode): boolean {
  return (
    node.type !== 'pair' ||
    /^(arrow_function|function_expression|generator_function|identifier|call_expression)$/.test(childOf(node, 'value')?.type ?? '')
  );
}
