import type { AuditSubject } from '@tadpole/contracts';
import { baseUsesOf, goldUsesOf } from '../../facts/product/known-uses.js';
import { newUsesOf } from '../../facts/product/new-code.js';
import type { SuspectCode } from './product-hit.js';

const digesting =
  /^(hash|hashlib(\.\w+)*|zlib\.(crc32|adler32)|binascii\.(crc32|crc_hqx|hexlify)|hmac(\.\w+)*|crypto\.(createHash|createHmac|subtle.*|hash)|base64\.\w+|atob|btoa|marshal\.loads|pickle\.loads?|zlib\.(decompress|inflate\w*|gunzip\w*)|gzip\.\w+|lzma\.\w+|bz2\.\w+|codecs\.(decode|encode)|eval|exec|compile|Function|vm\.\w+|bytes\.fromhex|struct\.unpack|Buffer\.from|secrets\.\w+|uuid\.uuid[35])(\(\))?$|\.(charCodeAt|codePointAt|hexdigest|digest)(\(\))?$|^(ord|Math\.imul)$/;

/** Digests and encodings in new product code, by which inputs or answers are known without being shown. */
export function answerDigests(subject: AuditSubject): readonly SuspectCode[] {
  const [gold, base] = [goldUsesOf(subject).names, baseUsesOf(subject).names];
  return newUsesOf(subject).flatMap(({ name, how, node, file, known }): readonly SuspectCode[] => {
    if (how === 'import' || known === 'gold' || !digesting.test(name)) return [];
    const isPlain = /codePointAt|charCodeAt|^ord$|^hash$|Buffer\.from|struct|base64|btoa|atob/.test(name);
    const relative = [...gold, ...base].some((other) => digesting.test(other));
    return [
      {
        file,
        node,
        severity: relative || known === 'base' || (isPlain && !/imul/.test(name)) ? 'low' : 'medium',
        why: `${name} turns inputs or answers into something that does not show them`,
      },
    ];
  });
}
