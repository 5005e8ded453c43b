import { parseSource } from '../../parse/load-parsers.js';
import { childOf, nodesOf, type SyntaxNode } from '../../parse/syntax-node.js';
import { longestSource } from '../code-source.js';
import { readCallee } from './callee.js';
import { besideFile, type CodeAction, type ReadCall, type UnplacedAction } from './code-action.js';
import { constantTexts } from './constant-texts.js';
import { fileActions } from './file-actions.js';
import { movingActions } from './moving-actions.js';
import { networkActions } from './network-actions.js';
import { runningActions } from './running-actions.js';
import { type CodeScope, readScope } from './scope.js';

/** Characters up to which a text is taken for a path. */
const longestPath = 4000;

/** Reads a Python, JavaScript or TypeScript program. */
export function codeActions(options: {
  language: 'python' | 'javascript' | 'typescript';
  text: string;
  /** Path of the file that holds it, from which relative imports are resolved. */
  file?: string | undefined;
  readFile(path: string): string | undefined;
}): CodeAction[] {
  const { language, readFile } = options;
  const tree = parseSource({ language, text: options.text.slice(0, longestSource.code) });
  const isPython = language === 'python';
  const scope = readScope({ tree, isPython, file: options.file, readFile });
  const actions: CodeAction[] = [];
  for (const node of nodesOf(
    tree,
    'call',
    'call_expression',
    'new_expression',
    'assignment',
    'assignment_expression',
    'import_statement',
  )) {
    const { start, end } = node;
    for (const action of actionsOf(node, scope)) actions.push({ ...action, start, end } as CodeAction);
  }
  return actions;
}

function actionsOf(node: SyntaxNode, scope: CodeScope): UnplacedAction[] {
  if (node.type === 'import_statement') return importActions(node, scope);
  if (node.type.startsWith('assignment')) return assignedVariables(node, scope);
  const texts = (argument: SyntaxNode | undefined) => constantTexts(argument, scope);
  const call: ReadCall = {
    ...readCallee(node, scope),
    scope,
    texts,
    paths: (argument) =>
      texts(argument)
        .map(({ text }) => text)
        .filter((text) => text !== '*' && text.length < longestPath),
  };
  for (const read of [fileActions, movingActions, runningActions, networkActions]) {
    const found = read(call);
    if (found.length > 0) return found;
  }
  return printedTexts(call) ?? setVariables(call) ?? mentionedPaths(call);
}

function importActions(node: SyntaxNode, scope: CodeScope): UnplacedAction[] {
  const source = childOf(node, 'source')?.text.slice(1, -1);
  return source && /^[./]/.test(source) ? [{ kind: 'read', paths: [besideFile(source, scope)] }] : [];
}

function assignedVariables(node: SyntaxNode, scope: CodeScope): UnplacedAction[] {
  const target = childOf(node, 'left')?.text ?? '';
  const name = /^(?:os\.environ|process\.env)(?:\.(\w+)|\[['"](\w+)['"]\])$/.exec(target);
  const value = constantTexts(childOf(node, 'right'), scope)[0]?.text;
  return name ? [{ kind: 'environment', name: name[1] ?? name[2] ?? '', value }] : [];
}

function printedTexts({ name, args, texts }: ReadCall): UnplacedAction[] | undefined {
  if (!/^(print|console\.(log|info|error|table)|sys\.stdout\.write|process\.stdout\.write)$/.test(name)) return undefined;
  const printed = texts(args[0]);
  return printed.length > 0 ? [{ kind: 'print', texts: printed }] : [];
}

function setVariables({ name, method, args, texts }: ReadCall): UnplacedAction[] | undefined {
  if (name === 'os.putenv' || name === 'os.environ.setdefault')
    return [{ kind: 'environment', name: texts(args[0])[0]?.text ?? '*', value: texts(args[1])[0]?.text }];
  return method === 'environ.update' ? [{ kind: 'environment', name: '*', value: undefined }] : undefined;
}

/** Paths from outside the project that stand as texts in a call of anything else. */
function mentionedPaths({ args, object, paths, scope }: ReadCall): UnplacedAction[] {
  const written = [...args, object].filter((argument) => argument && /string/.test(argument.type));
  const rooted = written.flatMap(paths).filter((path) => /^(\/|~\/|\.git\b|\.\.\/)/.test(path) && !/\s/.test(path));
  return rooted.length > 0 ? [{ kind: 'mention', paths: rooted.map((path) => besideFile(path, scope)) }] : [];
}
