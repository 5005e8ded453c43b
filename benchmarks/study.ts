// `npm run study -- NAME [options]`: prints a table for people and, as its last line, one line of JSON.
import { admissionsStudy } from './admissions-study.js';
import { calibrationStudy } from './calibration-study.js';
import { recipeStudy } from './recipe-study.js';
import { repositoriesStudy } from './repositories-study.js';
import { yieldsStudy } from './yields-study.js';

const studies = {
  admissions: admissionsStudy,
  calibration: calibrationStudy,
  recipe: recipeStudy,
  repositories: repositoriesStudy,
  yields: yieldsStudy,
};
const [name = '', ...rest] = process.argv.slice(2);

if (!Object.hasOwn(studies, name)) {
  process.stderr.write(`study: expected one of ${Object.keys(studies).join(', ')}, got ${JSON.stringify(name)}\n`);
  process.exitCode = 2;
} else {
  await studies[name as keyof typeof studies](rest);
}
