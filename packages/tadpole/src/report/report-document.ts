import { type Html, html, trustedMarkup } from './html.js';
import { reportStyles } from './report-styles.js';

const contentPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** Sections as one HTML document that asks for nothing else. Pure. */
export function reportDocument(options: {
  title: string;
  /** Ids of the sections that are linked to at the top. */
  links: readonly string[];
  sections: readonly Html[];
  script: string;
}): string {
  const { title, links, sections, script } = options;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trustedMarkup(contentPolicy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title} · Tadpole</title>
<style>${trustedMarkup(reportStyles)}</style>
</head>
<body>
<nav aria-label="Sections"><a href="#top">Result</a>${links.map((name) => html`<a href="#${name}">${name.charAt(0).toUpperCase() + name.slice(1)}</a>`)}</nav>
<main id="top">
${sections}
</main>
<script>${trustedMarkup(script)}</script>
</body>
</html>
`;
  return page.markup;
}
