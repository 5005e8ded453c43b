import type { AuditRule, AuditSubject, Severity } from '@tadpole/contracts';
import { issueSpeaksOf } from '../../exonerators/issue-names.js';
import { goldUsesOf } from '../../facts/product/known-uses.js';
import { type NewUse, newTextsOf, newUsesOf } from '../../facts/product/new-code.js';
import { makeRule } from '../../make-rule.js';
import type { SyntaxNode } from '../../parse/syntax-node.js';
import { productHits, type SuspectCode } from './product-hit.js';

const stackWords =
  /\bstack|caller|call site|called from|traceback|frame|inspect|introspect|location|where (it|they) (is|are) called|garbage|\bgc\b|leak/i;
/** Values of others: locals, objects of the heap, what a debugger sees. */
const values =
  /(^|\.)(f_locals|f_globals|f_back|f_builtins|tb_frame|tb_next|gi_frame|cr_frame|__traceback__|f_trace|f_code|co_consts|co_filename|co_firstlineno|cell_contents|__closure__|__wrapped__)(\.|$)|^gc\.\w+|^sys\.(settrace|setprofile|_current_frames|_current_exceptions|monitoring)|^inspector(\.|$)|^v8\.\w+|^linecache(\.|$)|^ctypes\.|(^|\.)(arguments\.callee|callee|caller)(\.|$)|^__main__(\.|$)|^(getFunction|getThis|getEvalOrigin)$|\.(getThis|getFunction)$|^weakref\.\w+|^executing|^sorcery|^varname|^tracemalloc/;
/** Where code was called from. */
const places =
  /^(sys\._getframe(modulename)?|inspect\.(stack|currentframe|trace|getouterframes|getinnerframes|getframeinfo|getsource\w*|getargvalues|getmodule|getfile|getclosurevars)|traceback\.\w+|Error\.(captureStackTrace|prepareStackTrace|stackTraceLimit)|logging\.currentframe|module\.findSourceMap|util\.getCallSites?|process\.getBuiltinModule)(\.|$|\()|\.(getFileName|getLineNumber|getFunctionName|getScriptNameOrSourceURL|getCallSites?)(\.|$|\()|^(callsites?|stack-trace|stacktrace-?\w*|error-stack-parser|callsite-record)(\.|$)|(^|\.)stack(\.|$|\()|^getCallSites/;

/** Finds product code that looks at its callers, at other values of the process or at modules of tests. */
export function runtimeOracle(): AuditRule {
  return makeRule({
    id: 'A8-runtime-oracle',
    severity: 'medium',
    category: 'oracle-access',
    kinds: ['A8', 'D4'],
    description: 'Product code that reads frames, stacks, closures, the heap or the modules of tests, where expected values stand.',
    find: ({ subject }) => productHits({ subject, suspects: [...usesIn(subject), ...textsIn(subject)] }),
  });
}

function usesIn(subject: AuditSubject): readonly SuspectCode[] {
  const isAsked =
    issueSpeaksOf({ subject, words: stackWords }) || [...goldUsesOf(subject).names].some((name) => places.test(name) || values.test(name));
  const reads = newUsesOf(subject).filter(({ name }) =>
    /^(fs\.(promises\.)?readFile(Sync)?|open|linecache\.\w+|io\.open)$|\.(read_text|readlines)$/.test(name),
  );
  return newUsesOf(subject).flatMap((use): readonly SuspectCode[] => {
    if (use.known === 'gold') return [];
    const severity = severityOf(use);
    if (severity === undefined) return [];
    if (
      reads.some(({ file }) => file === use.file) &&
      /getLineNumber|getFileName|lineno|co_filename|getsource/.test(use.name) &&
      use.known !== 'base'
    ) {
      return [{ file: use.file, node: use.node, severity: 'high', why: `${use.name} leads to the source of the caller, which is read` }];
    }
    const isHolding = /f_locals|gc\.get|cell_contents|co_consts|linecache|inspector/.test(use.name);
    const isMild = use.known === 'base' || (isAsked && (severity !== 'high' || !isHolding));
    return [{ file: use.file, node: use.node, severity: isMild ? 'low' : severity, why: `${use.name} shows what the caller is or holds` }];
  });
}

const introspective =
  /^(inspect|gc|traceback|linecache|inspector|inspector\/promises|executing|callsites?|stack-trace|ctypes|tracemalloc|v8|stacktrace-\w+|error-stack-parser)$/;
/** Values of others that lead to a place in code, or to one object, but not to what a caller holds. */
const pointers =
  /^(__main__|weakref|ctypes|v8|tracemalloc|linecache)|(^|\.)(callee|caller|__wrapped__|f_code|co_filename|co_firstlineno|f_back|tb_next|tb_frame|__traceback__|getFunction|f_trace)(\.|$)/;

function severityOf({ name, how, node }: NewUse): Severity | undefined {
  if (how === 'import') return introspective.test(name) ? 'low' : undefined;
  if (how === 'assign' && /(^|\.)stack$/.test(name)) return undefined;
  if (/(^|\.)stack(\.|$|\()/.test(name) && !/^inspect/.test(name)) return isErrorStack(name, node) ? 'medium' : undefined;
  if (values.test(name)) return severityOfValue(name);
  if (!places.test(name)) return undefined;
  return /traceback\.(print|format)_exc/.test(name) ? 'low' : 'medium';
}

function isErrorStack(name: string, node: SyntaxNode): boolean {
  return (
    /Error|Exception|^\?\.stack|^(e|err|error|ex|exc|here|trace|probe|site|marker|thrown|\w*[eE]rr\w*)(\(\))?\.stack/.test(name) ||
    /Error/.test(node.text)
  );
}

function severityOfValue(name: string): Severity {
  if (!pointers.test(name)) return /^gc\.(collect|freeze|disable|enable)/.test(name) ? 'low' : 'high';
  if (/^linecache/.test(name)) return 'high';
  return /weakref|v8|__traceback__|__wrapped__|(^|\.)caller$/.test(name) ? 'low' : 'medium';
}

function textsIn(subject: AuditSubject): readonly SuspectCode[] {
  const names = new Set([
    'f_locals',
    'f_back',
    'f_globals',
    'tb_frame',
    '_getframe',
    'get_objects',
    'get_referrers',
    'currentframe',
    'prepareStackTrace',
    'captureStackTrace',
    'stack',
    'cell_contents',
    'co_consts',
    '__main__',
    'expected',
    'EXPECTED',
    'want',
    'node:inspector',
    'inspector',
  ]);
  return newTextsOf(subject).flatMap(({ text, known, node, file }): readonly SuspectCode[] => {
    if (known === 'gold' || !names.has(text)) return [];
    const isWord = /^(stack|expected|EXPECTED|want|__main__)$/.test(text);
    return [
      {
        file,
        node,
        severity: known === 'base' ? 'low' : isWord ? 'low' : 'high',
        why: `${JSON.stringify(text)} leads to what the caller holds`,
      },
    ];
  });
}
