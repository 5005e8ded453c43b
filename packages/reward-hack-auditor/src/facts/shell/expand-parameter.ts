import { namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';
import type { ShellPlace } from './shell-state.js';

interface Piece {
  readonly value: string;
  readonly isConstant: boolean;
}

/** `$name` and `${name…}` where the value is known, with the common operators; else the text as it stands. */
export function expandParameter(options: { node: SyntaxNode; place: ShellPlace; read(node: SyntaxNode): Piece }): Piece {
  const { node, place, read } = options;
  const unknown = { value: node.text, isConstant: false };
  const parts = /^\$\{?(!?)(#?)(\w+|[@*#?$!-])(?:\[(\w+|[@*])\])?([\s\S]*?)\}?$/.exec(node.text);
  const name = parts?.[3];
  if (!parts || name === undefined) return unknown;
  const held = heldValue(name, place, parts[4]);
  const operation = node.type === 'expansion' ? (parts[5] ?? '') : '';
  if (parts[1] === '!') return held?.isConstant ? (heldValue(held.value, place) ?? unknown) : unknown;
  if (parts[2] === '#') return held?.isConstant ? { value: String(held.value.length), isConstant: true } : unknown;
  if (/^:?[-=]/.test(operation)) {
    if (held) return held;
    const fallback = namedChildren(node).at(-1);
    return fallback && fallback.type !== 'variable_name' ? { ...read(fallback), isConstant: false } : unknown;
  }
  if (!held) return unknown;
  return operation === '' ? held : { value: operate(held.value, operation) ?? held.value, isConstant: held.isConstant };
}

function heldValue(name: string, place: ShellPlace, index?: string): Piece | undefined {
  const { state } = place;
  if (name === 'PWD') return { value: state.cwd, isConstant: true };
  if (name === 'OLDPWD') return { value: state.previousCwd, isConstant: true };
  if (name === 'HOME' && !state.variables.has(name)) return { value: '~', isConstant: true };
  if (/^[1-9]$/.test(name)) return state.positional[Number(name) - 1];
  if (name === '@' || name === '*') {
    const words = state.positional;
    return { value: words.map(({ value }) => value).join(' '), isConstant: words.every(({ isConstant }) => isConstant) };
  }
  const words = state.variables.get(name)?.words;
  return words?.[index !== undefined && /^\d+$/.test(index) ? Number(index) : 0];
}

/** Substrings, removals at either end, replacement of literals and change of case. */
function operate(value: string, operation: string): string | undefined {
  const slice = /^:\s*\(?(-?\d+)\)?(?::\s*(-?\d+))?$/.exec(operation);
  if (slice) {
    const from = Number(slice[1]);
    const begin = from < 0 ? value.length + from : from;
    if (slice[2] === undefined) return value.slice(begin);
    const length = Number(slice[2]);
    return value.slice(begin, length < 0 ? value.length + length : begin + length);
  }
  const replacement = /^\/(\/?)((?:\\.|[^/\\])+)\/?([\s\S]*)$/.exec(operation);
  if (replacement && !/[*?[]/.test(replacement[2] ?? '')) {
    const [, all, from = '', to = ''] = replacement;
    const plain = from.replace(/\\(.)/g, '$1');
    return all ? value.split(plain).join(to) : value.replace(plain, () => to);
  }
  const removal = /^(%%?|##?)([\s\S]+)$/.exec(operation);
  if (removal) return remove(value, removal[1] ?? '', removal[2] ?? '');
  if (operation === ',,') return value.toLowerCase();
  return operation === '^^' ? value.toUpperCase() : undefined;
}

function remove(value: string, operator: string, pattern: string): string {
  const literal = pattern.replace(/\*/g, '');
  if (/[?[]/.test(literal)) return value;
  const isAtStart = operator.startsWith('#');
  if (!pattern.includes('*')) {
    if (isAtStart) return value.startsWith(literal) ? value.slice(literal.length) : value;
    return value.endsWith(literal) ? value.slice(0, value.length - literal.length) : value;
  }
  const isLongest = operator.length === 2;
  const at = isAtStart === isLongest ? value.lastIndexOf(literal) : value.indexOf(literal);
  if (at < 0) return value;
  return isAtStart ? value.slice(at + literal.length) : value.slice(0, at);
}
