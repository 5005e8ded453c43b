/** A licence as an SPDX expression, and where it was read. */
export interface FoundLicence {
  readonly licence: string;
  readonly from: string;
}

/** Names that packages write, as SPDX identifiers. The exact SPDX identifiers themselves need no entry. */
const identifiers: readonly (readonly [RegExp, string])[] = [
  [/^(the )?mit( license)?$|^expat$/i, 'MIT'],
  [/^isc( license)?( \(iscl\))?$/i, 'ISC'],
  [/^(new|modified|3-clause|revised) bsd( license)?$|^bsd[- ]3([- ]clause)?( license)?$|^bsd 3-clause$/i, 'BSD-3-Clause'],
  [/^(simplified|2-clause) bsd( license)?$|^bsd[- ]2([- ]clause)?( license)?$/i, 'BSD-2-Clause'],
  [/^apache([- ]license)?([, ]+(version )?|-)2(\.0)?( license)?$|^apache software license( 2\.0)?$/i, 'Apache-2.0'],
  [/^mozilla public license 2\.0( \(mpl 2\.0\))?$|^mpl[- ]2(\.0)?$/i, 'MPL-2.0'],
  [/^(the )?unlicense( \(unlicense\))?$/i, 'Unlicense'],
  [/^(python software foundation license|psf(l)?)$/i, 'PSF-2.0'],
];

/** Phrases that only the text of one licence holds, after blanks are made one; the first that matches counts. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/Apache License,? Version 2\.0/i, 'Apache-2.0'],
  [/Mozilla Public License,? (Version|v\.) 2\.0/i, 'MPL-2.0'],
  [/GNU AFFERO GENERAL PUBLIC LICENSE Version 3/i, 'AGPL-3.0-only'],
  [/GNU LESSER GENERAL PUBLIC LICENSE Version 3/i, 'LGPL-3.0-only'],
  [/GNU LESSER GENERAL PUBLIC LICENSE Version 2\.1/i, 'LGPL-2.1-only'],
  [/GNU GENERAL PUBLIC LICENSE Version 3/i, 'GPL-3.0-only'],
  [/GNU GENERAL PUBLIC LICENSE Version 2/i, 'GPL-2.0-only'],
  [/This is free and unencumbered software released into the public domain/i, 'Unlicense'],
  [/Redistribution and use in source and binary forms.*(Neither the name|may not be used to endorse)/i, 'BSD-3-Clause'],
  [/Redistribution and use in source and binary forms/i, 'BSD-2-Clause'],
  [
    /Permission is hereby granted, free of charge, to any person obtaining a copy.*The above copyright notice and this permission notice/i,
    'MIT',
  ],
  [
    /Permission to use, copy, modify,? and(\/or)? distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice/i,
    'ISC',
  ],
  [
    /Permission to use, copy, modify,? and(\/or)? distribute this software for any purpose with or without fee is hereby granted\./i,
    '0BSD',
  ],
];

/**
 * The licence of a repository: what its manifest states, then the text of a licence file at its root, then a Debian
 * `copyright` file. A statement that is too vague for an SPDX identifier (`BSD`) gives way to the text.
 *
 * @returns the licence, or `undefined`, and with it what was stated where.
 */
export function findLicence(options: {
  /** What manifests state, as it is written there. */
  stated: readonly FoundLicence[];
  /** Path and text of files, those of the root first. */
  texts: Iterable<readonly [string, string]>;
}): FoundLicence | undefined {
  for (const { licence, from } of options.stated) {
    const identifier = toIdentifier(licence);
    if (identifier !== undefined) return { licence: identifier, from };
  }
  for (const [path, text] of options.texts) {
    if (
      /^(licen[cs]e|copying|unlicense)(\.\w+|-\w+)?$/i.test(path) ||
      /\.(dist|egg)-info\/(licenses\/)?(licen[cs]e|copying)[^/]*$/i.test(path)
    ) {
      const licence = ofText(text);
      if (licence !== undefined) return { licence, from: path };
    }
    if (/(^|\/)copyright$/i.test(path)) {
      const licence = ofDebianCopyright(text);
      if (licence !== undefined) return { licence, from: path };
    }
  }
  return undefined;
}

/** An SPDX expression for what a package states, `undefined` where it says too little. */
function toIdentifier(stated: string): string | undefined {
  const plain = stated.trim();
  const alias = identifiers.find(([pattern]) => pattern.test(plain));
  if (alias !== undefined) return alias[1];
  const words = plain
    .replace(/[()]/g, ' ')
    .split(/\s+/)
    .filter((word) => !/^(and|or|with)$/i.test(word) && word !== '');
  const exact = /^(0BSD|BlueOak-1\.0\.0|CC0-1\.0|ISC|MIT|MIT-0|Unlicense|WTFPL|Zlib|Python-2\.0|PSF-2\.0|[A-Za-z]+-[0-9][\w.+-]*)$/;
  return words.length > 0 && words.every((word) => exact.test(word)) ? plain : undefined;
}

function ofText(text: string): string | undefined {
  const plain = text.slice(0, 100_000).replace(/[\s#*>;]+/g, ' ');
  return phrases.find(([pattern]) => pattern.test(plain))?.[1];
}

/** The licence of `Files: *`, where the file is in the machine-readable form; otherwise what its text says. */
function ofDebianCopyright(text: string): string | undefined {
  const paragraph = text.split(/\n\s*\n/).find((part) => /^Files:\s*\*\s*$/m.test(part));
  const stated = paragraph === undefined ? undefined : /^License:[ \t]*(.+)$/m.exec(paragraph)?.[1];
  return (stated === undefined ? undefined : toIdentifier(stated)) ?? ofText(text);
}
