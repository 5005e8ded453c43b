import { childOf, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';
import { decodeEscapes } from './decode-text.js';
import { expandBraces } from './expand-braces.js';
import { expandParameter } from './expand-parameter.js';
import type { KnownText, ShellWord } from './shell-command.js';
import type { ShellPlace } from './shell-state.js';

/** Runs what a substitution holds and gives what it prints. */
export type Capture = (nodes: readonly SyntaxNode[], place: ShellPlace) => KnownText | undefined;

interface Piece {
  readonly value: string;
  readonly isConstant: boolean;
  readonly contentStart?: number | undefined;
}

const substitutions = ['command_substitution', 'process_substitution'];

/** The words that an argument becomes: one, unless braces, arrays or blanks in an unquoted value make more of it. */
export function readWords(node: SyntaxNode, place: ShellPlace, capture: Capture): ShellWord[] {
  const { start, end } = node;
  const several = arrayOf(node, place);
  if (several) return several.map((word) => ({ ...word, start, end }));
  const piece = readPiece(node, place, capture);
  const isSplit = ['simple_expansion', 'expansion', 'command_substitution'].includes(node.type);
  if (isSplit && piece.isConstant) {
    const parts = piece.value.split(/\s+/).filter((part) => part !== '');
    return parts.slice(0, 200).map((value) => ({ value, isConstant: true, start, end }));
  }
  const isPlain = ['word', 'concatenation', 'brace_expression'].includes(node.type) && piece.value.includes('{');
  if (!isPlain) return [{ ...piece, start, end }];
  const expanded = expandBraces(piece.value);
  if (expanded.length === 1) return [{ ...piece, start, end }];
  return expanded.map((value) => ({ value, isConstant: piece.isConstant, start, end }));
}

/** The one word of an assignment, a redirection or a here-string. */
export function readWord(node: SyntaxNode, place: ShellPlace, capture: Capture): ShellWord {
  return { ...readPiece(node, place, capture), start: node.start, end: node.end };
}

/** A here-document's text; `undefined` where the grammar read none. */
export function readHeredoc(node: SyntaxNode, place: ShellPlace, capture: Capture): KnownText | undefined {
  const body = node.children.find(({ type }) => type === 'heredoc_body');
  if (!body) return undefined;
  const operator = node.children.find(({ type }) => type === '<<-');
  const quoted = /['"\\]/.test(node.children.find(({ type }) => type === 'heredoc_start')?.text ?? '');
  const isVerbatim = (quoted || !/[\\$`]/.test(body.text)) && operator === undefined;
  const piece = quoted ? { value: body.text, isConstant: true } : joinPieces(body, place, capture, body.start, body.end, /\\([\\$`])/g);
  const text = operator ? piece.value.replace(/^\t+/gm, '') : piece.value;
  return { text, isConstant: piece.isConstant, isDecoded: false, contentStart: isVerbatim ? body.start : undefined };
}

function readPiece(node: SyntaxNode, place: ShellPlace, capture: Capture): Piece {
  const { type, text, start, end } = node;
  switch (type) {
    case 'word':
    case 'variable_name':
    case 'command_name': {
      const inner = type === 'command_name' ? namedChildren(node)[0] : undefined;
      if (inner) return readPiece(inner, place, capture);
      return text.includes('\\')
        ? { value: text.replace(/\\(\n|[\s\S])/g, (_, next: string) => (next === '\n' ? '' : next)), isConstant: true }
        : { value: text, isConstant: true, contentStart: start };
    }
    case 'raw_string':
      return { value: text.slice(1, -1), isConstant: true, contentStart: start + 1 };
    case 'ansi_c_string':
      return { value: decodeEscapes(text.slice(2, -1)), isConstant: true };
    case 'translated_string':
      return joinPieces(node, place, capture, start + 1, end, /(?!)/g);
    case 'string':
      return joinPieces(node, place, capture, start + 1, end - 1, /\\(\n|["\\$`])/g);
    case 'concatenation':
      return joinPieces(node, place, capture, start, end, /\\([\s\S])/g);
    case 'simple_expansion':
    case 'expansion':
      return expandParameter({ node, place, read: (inner) => readPiece(inner, place, capture) });
    case 'command_substitution': {
      const printed = capture(node.children, place);
      return printed === undefined
        ? { value: text, isConstant: false }
        : { value: printed.text.replace(/\n+$/, ''), isConstant: printed.isConstant };
    }
    case 'process_substitution': {
      const printed = capture(node.children, place);
      if (printed) place.state.substituted.set(text, printed);
      return { value: text, isConstant: false };
    }
    case 'array':
      return {
        value: namedChildren(node)
          .map((item) => readPiece(item, place, capture).value)
          .join(' '),
        isConstant: true,
      };
    default:
      for (const inner of node.children) if (substitutions.includes(inner.type)) readPiece(inner, place, capture);
      return { value: text, isConstant: !['arithmetic_expansion', 'ERROR'].includes(type) };
  }
}

function joinPieces(node: SyntaxNode, place: ShellPlace, capture: Capture, from: number, to: number, escaped: RegExp): Piece {
  const source = place.source.text;
  const plain = (begin: number, end: number) => source.slice(begin, end).replace(escaped, (_, next: string) => (next === '\n' ? '' : next));
  let value = '';
  let isConstant = true;
  let at = from;
  let isVerbatim = true;
  for (const child of node.children) {
    if (child.start < at || child.end > to || ['string_content', 'heredoc_content'].includes(child.type)) continue;
    if (!child.isNamed) continue;
    const piece = readPiece(child, place, capture);
    value += plain(at, child.start) + piece.value;
    isConstant &&= piece.isConstant;
    isVerbatim = false;
    at = child.end;
  }
  value += plain(at, to);
  isVerbatim &&= value.length === to - from;
  return { value, isConstant, contentStart: isVerbatim ? from : undefined };
}

/** `"${name[@]}"`, `$@` and the like: a word for each element. */
function arrayOf(node: SyntaxNode, place: ShellPlace): { value: string; isConstant: boolean }[] | undefined {
  const inner = node.type === 'string' ? namedChildren(node) : [node];
  const only = inner.length === 1 ? inner[0] : undefined;
  if (!only || !/expansion$/.test(only.type)) return undefined;
  if (/^\$\{?[@*]\}?$/.test(only.text)) return [...place.state.positional];
  const subscript = childOf(only, 'subscript') ?? only.children.find(({ type }) => type === 'subscript');
  const name = /^\$\{(\w+)\[[@*]\]\}$/.exec(only.text)?.[1];
  if (!subscript && name === undefined) return undefined;
  const held = name === undefined ? undefined : place.state.variables.get(name);
  return held ? [...held.words] : undefined;
}
