import type { ReportData } from './report-data.js';
import { reportDocument } from './report-document.js';
import { auditSection } from './sections/audit-section.js';
import { calibrationSection } from './sections/calibration-section.js';
import { configurationSection } from './sections/configuration-section.js';
import { headlineSection } from './sections/headline-section.js';
import { learningSection } from './sections/learning-section.js';
import { synthesisSection } from './sections/synthesis-section.js';
import { trajectoriesSection } from './sections/trajectories-section.js';
import { viewerScript } from './viewer/viewer-script.js';

/** The whole report as one HTML document that asks for nothing else. Pure. */
export function reportPage(data: ReportData): string {
  return reportDocument({
    title: data.run.runId,
    links: ['learning', 'calibration', 'synthesis', 'audit', 'trajectories', 'configuration'],
    sections: [
      headlineSection,
      learningSection,
      calibrationSection,
      synthesisSection,
      auditSection,
      trajectoriesSection,
      configurationSection,
    ].map((section) => section(data)),
    script: data.records.rollouts.length === 0 ? '' : viewerScript,
  });
}
