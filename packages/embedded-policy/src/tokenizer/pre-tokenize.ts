const OPERATORS = [
  '>>>=',
  '...',
  '===',
  '!==',
  '>>>',
  '**=',
  '<<=',
  '>>=',
  '&&=',
  '||=',
  '??=',
  '/**',
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '??',
  '?.',
  '=>',
  '++',
  '--',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '&=',
  '|=',
  '^=',
  '<<',
  '>>',
  '**',
  '//',
  '/*',
  '*/',
];

const escaped = OPERATORS.map((operator) => operator.replace(/[.*+?^$|]/g, '\\$&')).join('|');

const PIECE = new RegExp(
  [
    String.raw`(?<=^[1-9]\d{0,2})\. `,
    String.raw`\d+`,
    '[ .]?[A-Za-z_$]+',
    String.raw`\n`,
    ` ?(?:${escaped})`,
    String.raw` ?[()[\]{};,]+`,
    String.raw`[^\x00-\x7f]+`,
    ' {2,}',
    String.raw`\t+`,
    String.raw` ?[!-/:-@\[-\x60{-~]`,
    String.raw`[\s\S]`,
  ].join('|'),
  'gm',
);

/**
 * Cuts text into the pieces that merges never cross; joined, they are the text.
 *
 * A piece is a run of digits, an identifier with one leading space or dot, one operator, a run of brackets and separators,
 * one newline, or a run of two or more spaces. So an operator is never glued to its operands, the words of an
 * indented line are the same pieces as those of the line without its indent, and in a numbered line (`39. text`) the
 * number, the `. ` and the text are apart.
 */
export function preTokenize(text: string): string[] {
  return text.match(PIECE) ?? [];
}
