import type { SyntaxNode } from '../../parse/syntax-node.js';
import type { ReadCall, UnplacedAction } from './code-action.js';
import { type CodeText, unknownText } from './code-text.js';

/** Functions that start a process. */
const startsProcess =
  /^(subprocess\.\w+|asyncio\.create_subprocess_\w+|child_process\.\w+|os\.(system|popen|exec\w+|spawn\w+|posix_spawn\w*)|pty\.spawn|execa\w*|Bun\.(spawn|spawnSync|\$)|commands\.getoutput|execSync|spawnSync|execFileSync|sh\.\w+)$/;

/** Those among them that take a program and its arguments, not a command line. */
const takesArguments =
  /^(child_process\.(spawn|execFile|fork)|os\.exec|os\.posix_spawn|spawnSync|execFileSync|asyncio\.create_subprocess_exec)/;

/** Functions that run a text as code. */
const evaluates =
  /^(exec|eval|compile|Function|vm\.(runInThisContext|runInNewContext|runInContext|Script)|new Function|builtins\.exec|globalThis\.eval)$/;

/** Commands and code that a call runs. */
export function runningActions(call: ReadCall): UnplacedAction[] {
  const { name, args, texts } = call;
  if (startsProcess.test(name)) return startedProcess(call);
  if (!evaluates.test(name)) return [];
  const found = texts(name === 'Function' ? args.at(-1) : args[0]);
  return found.length > 0 ? [{ kind: 'evaluate', texts: found }] : [];
}

function startedProcess({ name, args, keywords, texts }: ReadCall): UnplacedAction[] {
  const [first, second] = args;
  const command = /^os\.spawn/.test(name) ? args[2] : (first ?? keywords.get('args'));
  const list = listed(command);
  if (list) return [{ kind: 'argv', words: elements(list, texts) }];
  if (takesArguments.test(name)) {
    const rest = listed(second);
    const words = rest ? [...texts(first).slice(0, 1), ...elements(rest, texts)] : args.flatMap((argument) => texts(argument).slice(0, 1));
    return [{ kind: 'argv', words }];
  }
  const found = texts(command);
  if (found.length === 0) return [];
  const isNamedList = command?.type === 'identifier' && found.length > 1;
  return [isNamedList ? { kind: 'argv', words: found } : { kind: 'shell', texts: found }];
}

/** The node where it is a list that is written out. */
function listed(node: SyntaxNode | undefined): SyntaxNode | undefined {
  return node && /^(list|tuple|array)$/.test(node.type) ? node : undefined;
}

function elements(list: SyntaxNode, texts: ReadCall['texts']): CodeText[] {
  return list.children.filter(({ isNamed, type }) => isNamed && type !== 'comment').map((item) => texts(item)[0] ?? unknownText);
}
