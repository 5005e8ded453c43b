import { html, trustedMarkup } from './html.js';
import type { ReportData } from './report-data.js';
import { reportStyles } from './report-styles.js';
import { auditSection } from './sections/audit-section.js';
import { calibrationSection } from './sections/calibration-section.js';
import { configurationSection } from './sections/configuration-section.js';
import { headlineSection } from './sections/headline-section.js';
import { learningSection } from './sections/learning-section.js';
import { synthesisSection } from './sections/synthesis-section.js';
import { trajectoriesSection } from './sections/trajectories-section.js';
import { viewerScript } from './viewer/viewer-script.js';

const contentPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** The whole report as one HTML document that asks for nothing else. Pure. */
export function reportPage(data: ReportData): string {
  const sections = ['learning', 'calibration', 'synthesis', 'audit', 'trajectories', 'configuration'];
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trustedMarkup(contentPolicy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${data.run.runId} · Tadpole</title>
<style>${trustedMarkup(reportStyles)}</style>
</head>
<body>
<nav aria-label="Sections"><a href="#top">Result</a>${sections.map((name) => html`<a href="#${name}">${name.charAt(0).toUpperCase() + name.slice(1)}</a>`)}</nav>
<main id="top">
${headlineSection(data)}
${learningSection(data)}
${calibrationSection(data)}
${synthesisSection(data)}
${auditSection(data)}
${trajectoriesSection(data)}
${configurationSection(data)}
</main>
<script>${trustedMarkup(data.records.rollouts.length === 0 ? '' : viewerScript)}</script>
</body>
</html>
`;
  return page.markup;
}
