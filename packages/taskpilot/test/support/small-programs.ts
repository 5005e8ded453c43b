import fc from 'fast-check';

const indent = (code: string) => code.replace(/^(?=.)/gm, '  ');

/** Expressions without brackets of their own, so that precedence decides; `call` writes down that it was evaluated. */
function expressions(language: { leaves: readonly string[]; operators: readonly string[]; not: string; call: string }) {
  return fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'expression' },
      { weight: 4, arbitrary: fc.constantFrom(...language.leaves) },
      {
        weight: 6,
        arbitrary: fc
          .tuple(tie('expression'), fc.constantFrom(...language.operators), tie('expression'))
          .map(([left, operator, right]) => `${left} ${operator} ${right}`),
      },
      { weight: 1, arbitrary: tie('expression').map((inner) => `(${inner})`) },
      { weight: 1, arbitrary: tie('expression').map((inner) => language.not.replace('VALUE', inner)) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.nat(9), tie('expression'))
          .map(([id, inner]) => language.call.replace('ID', `${id}`).replace('VALUE', inner)),
      },
    ),
  })).expression;
}

const javascriptExpression = expressions({
  leaves: ['a', 'b', 'c', 'p', 'q', '0', '1', '-1', "''", "'x'", 'null', 'typeof a', 'b.length', 'c[0]'],
  operators: ['+', '-', '*', '%', '&', '>>', '<', '<=', '>', '>=', '==', '===', '!=', '!==', '&&', '&&', '||', '||'],
  not: '!(VALUE)',
  call: 'note(ID, VALUE)',
});

const javascriptStatement = fc.letrec<{ statement: string }>((tie) => {
  const e = javascriptExpression;
  const s = fc.array(tie('statement'), { minLength: 1, maxLength: 2 }).map((all) => indent(all.join('\n')));
  const of = (pieces: TemplateStringsArray, ...parts: fc.Arbitrary<string>[]) =>
    fc.tuple(...parts).map((texts) => pieces.map((piece, index) => piece + (texts[index] ?? '')).join(''));
  return {
    statement: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'statement' },
      of`p += ${e};`,
      of`p = p - ${fc.constantFrom('a', 'b', '(c + q)', 'q * 2')};`,
      of`q = ${e};`,
      of`list.push(${e}, ${e})`,
      of`{\n  const made = ${e};\n  list.push(made);\n}`,
      of`if (${e}) {\n${s}\n} else {\n${s}\n}`,
      of`if (${e}) return ${e};`,
      of`if (${e}) {\n${s}\n  return ${e};\n}`,
      of`while (limit-- > 0 && (${e})) {\n${s}\n}`,
      of`for (let i = 0; i < 2; i++) {\n${s}\n  list.push(() => i);\n}`,
      of`try {\n${s}\n} catch (error) {\n  list.push(error.name);\n}`,
      of`list.push(${e} ? ${e} : ${e});`,
    ),
  };
}).statement;

/** Programs with `target(a, b, c)`, in JavaScript that is TypeScript too. */
export const javascriptPrograms = fc
  .tuple(fc.constantFrom('let', 'var'), fc.array(javascriptStatement, { minLength: 2, maxLength: 5 }), javascriptExpression)
  .map(([kind, statements, value]) => {
    const body = `${kind} p = 1;\n${kind} q = 'x';\nconst list = [];\n${statements.map((one) => `{\n${indent(one)}\n}`).join('\n')}\nreturn [p, q, list.map((f) => typeof f === 'function' ? f() : f), ${value}];`;
    return `function note(id, value) {\n  trace.push(id);\n  return value;\n}\nfunction target(a, b, c) {\n${indent(body)}\n}\n`;
  });

const pythonExpression = expressions({
  leaves: ['a', 'b', 'c', 'p', 'q', 'a', 'b', 'c', 'p', 'q', '0', '1', '2', '-1', '2', 'None', 'len(b)'],
  operators: ['+', '-', '*', '%', '&', '<', '<=', '>', '==', '!=', 'is', 'and', 'and', 'or', 'or'],
  not: '(not VALUE)',
  call: 'note(ID, VALUE)',
});

const pythonStatement = fc.letrec<{ statement: string }>((tie) => {
  const e = pythonExpression;
  const s = fc.array(tie('statement'), { minLength: 1, maxLength: 2 }).map((all) => indent(all.join('\n')));
  return {
    statement: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'statement' },
      e.map((value) => `p += ${value}`),
      e.map((value) => `q = ${value}`),
      e.map((value) => `p = p - (${value})`),
      e.map((value) => `made = ${value}\nlist.append(made)`),
      fc.tuple(e, s, s).map(([test, yes, no]) => `if ${test}:\n${yes}\nelse:\n${no}`),
      fc.tuple(e, e).map(([test, value]) => `if ${test}: return ${value}`),
      fc.tuple(e, s).map(([test, body]) => `while take() and (${test}):\n${body}`),
      s.map((body) => `try:\n${body}\nexcept Exception as error:\n  list.append(type(error).__name__)`),
      fc.tuple(e, e, e).map(([yes, test, no]) => `list.append(${yes} if ${test} else ${no})`),
    ),
  };
}).statement;

/** Programs with `target(a, b, c)` in Python; `take` ends their loops. */
export const pythonPrograms = fc
  .tuple(fc.array(pythonStatement, { minLength: 2, maxLength: 5 }), pythonExpression)
  .map(
    ([statements, value]) =>
      `def target(a, b, c):\n${indent(`p = 1\nq = 2\nlist = []\n${statements.join('\n')}\nreturn [p, q, list, ${value}]`)}\n`,
  );
