import { childOf, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';
import { type Capture, readHeredoc, readWord } from './read-words.js';
import type { KnownText, ShellCommand, ShellWord } from './shell-command.js';
import type { ShellPlace } from './shell-state.js';

/** Redirections of a command. */
export interface ReadRedirects {
  readonly redirects: ShellCommand['redirects'];
  /** What the grammar hangs below a here-document: the rest of its line. */
  readonly following: readonly SyntaxNode[];
  /** Text of a here-document or here-string. */
  readonly stdin: KnownText | undefined;
}

/** Types of nodes that are no commands. */
export const noCommands: ReadonlySet<string> = new Set([
  'comment',
  'variable_name',
  'heredoc_start',
  'heredoc_body',
  'heredoc_end',
  'file_redirect',
  'test_operator',
]);

/** Reads the redirections among the children of a node. */
export function readRedirects(nodes: readonly SyntaxNode[], place: ShellPlace, capture: Capture): ReadRedirects {
  const redirects: { operator: string; target: ShellWord }[] = [];
  const following: SyntaxNode[] = [];
  let stdin: KnownText | undefined;
  for (const node of nodes) {
    if (node.type === 'file_redirect') {
      const target = childOf(node, 'destination');
      const operator = node.children.find(({ isNamed }) => !isNamed)?.type ?? '>';
      const descriptor = childOf(node, 'descriptor')?.text ?? '';
      if (target) redirects.push({ operator: descriptor + operator, target: readWord(target, place, capture) });
    } else if (node.type === 'herestring_redirect') {
      const [text] = namedChildren(node).slice(-1);
      const word = text && readWord(text, place, capture);
      if (word) stdin = { text: `${word.value}\n`, isConstant: word.isConstant, isDecoded: false, contentStart: word.contentStart };
    } else if (node.type === 'heredoc_redirect') {
      stdin = readHeredoc(node, place, capture) ?? stdin;
      const inner = readRedirects(
        node.children.filter(({ type }) => type === 'file_redirect' || type === 'herestring_redirect'),
        place,
        capture,
      );
      redirects.push(...inner.redirects);
      following.push(
        ...node.children.filter(
          ({ isNamed, type, field }) =>
            isNamed &&
            !noCommands.has(type) &&
            !/_redirect$/.test(type) &&
            field !== 'argument' &&
            field !== 'descriptor' &&
            type !== 'file_descriptor',
        ),
      );
    }
  }
  return { redirects, following, stdin };
}
