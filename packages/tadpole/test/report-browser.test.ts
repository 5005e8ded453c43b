import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateSync } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NumberedReport, readIterationReports } from '../src/report/iteration-reports.js';
import { writeReportFile } from '../src/report/write-report-file.js';
import { hostileText, writeFixtureRun } from './write-fixture-run.js';

const executablePath = '/usr/bin/chromium';
const patientMs = 180_000;
let browser: Browser;
let scratch: string;
const reports: Record<'plain' | 'hostile', string> = { plain: '', hostile: '' };

beforeAll(async () => {
  if (!existsSync(executablePath)) {
    throw new Error(
      `These tests open the report in a browser and found none at ${executablePath}. Install Debian's package chromium: apt-get install -y chromium`,
    );
  }
  scratch = mkdtempSync(join(tmpdir(), 'tadpole-browser-'));
  for (const [name, text] of [
    ['plain', ''],
    ['hostile', hostileText],
  ] as const) {
    const directory = join(scratch, name);
    writeFixtureRun({ directory, hostileText: text });
    reports[name] = pathToFileURL(await writeReportFile({ directory })).href;
  }
  browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--headless', '--disable-gpu', '--disable-background-networking'],
    timeout: patientMs,
  });
}, patientMs);

afterAll(async () => {
  await browser?.close();
  if (scratch) rmSync(scratch, { recursive: true, force: true });
});

/** A page with the report, and what it complained about and asked for. */
async function open(options: {
  report: string;
  width?: number;
  colorScheme?: 'light' | 'dark';
}): Promise<{ page: Page; complaints: string[]; requests: string[] }> {
  const { report, width = 1280, colorScheme = 'light' } = options;
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  page.setDefaultTimeout(patientMs);
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(report);
  return { page, complaints, requests };
}

test('asks for nothing but its own file, reports no error, and draws every chart', { timeout: patientMs }, async () => {
  const { page, complaints, requests } = await open({ report: reports.plain });
  expect(requests).toEqual([reports.plain]);
  expect(complaints).toEqual([]);
  const names = await page.locator('figure svg').evaluateAll((charts) => charts.map((chart) => chart.getAttribute('aria-label')));
  expect(names).toEqual([
    'Held-out tasks solved before and after training',
    'Solve rate on held-out tasks and on training tasks over updates',
    'Reward of each update',
    'Mask fraction of each update',
    'Entropy of each update',
    'Gradient norm of each update',
    'Predicted and realised solve rate of admitted tasks',
    'Candidates of iteration 1 by operator and what became of them',
    'Posterior solve rate of the candidates of iteration 1',
    'Solve rates of iteration 1 before and after refinement',
    'Candidates of iteration 2 by operator and what became of them',
    'Posterior solve rate of the candidates of iteration 2',
    'Solve rates of iteration 2 before and after refinement',
  ]);
  for (const chart of await page.locator('figure svg').all()) {
    const box = await chart.boundingBox();
    expect(box?.width).toBeGreaterThan(200);
    expect(box?.height).toBeGreaterThan(100);
    expect(await chart.locator('circle, rect, path[transform]').count()).toBeGreaterThan(1);
  }
  await page.close();
});

test('leads to the page of an iteration, which shows the numbers of its report and tells parts apart without colour', {
  timeout: patientMs,
}, async () => {
  const { page, complaints } = await open({ report: reports.plain });
  await page.locator('#synthesis a', { hasText: 'Iteration 2' }).click();
  const section = page.locator('#iteration-2');
  expect(await section.locator('h3').evaluate((heading) => heading.getBoundingClientRect().top)).toBeLessThan(900);
  const { report } = readIterationReports({ directory: join(scratch, 'plain') })[1] as NumberedReport;
  const { proposed, valid, heldOut, measured, inBand, admitted } = report.funnel.total;
  const total = section.locator('tbody tr', { hasText: /^all/ }).first();
  const cells = await total.locator('td').allTextContents();
  expect(cells.slice(1, 7)).toEqual([proposed, valid, heldOut, measured, inBand, admitted].map(String));
  expect(cells[7]).toBe('44 [32, 58]');
  const facts = await section.locator('dl').textContent();
  expect(facts).toContain('+0.80 logits [0.31, 1.29] since the checkpoint before, from 24 anchors');
  expect(facts).toContain('1.25 USD');
  expect(facts).toContain(`${((report.rollouts.saving?.share ?? 0) * 100).toFixed(1)}`);
  const [funnel, rates] = await section.locator('figure').all();
  expect(new Set(await funnel?.locator('svg text').allTextContents())).toContain('A');
  expect(await rates?.locator('.legend b').allTextContents()).toEqual(['●', '▲', '■']);
  const shapes = await rates?.locator('svg path[transform]').evaluateAll((marks) => marks.map((mark) => mark.getAttribute('d')));
  expect(new Set(shapes).size).toBeGreaterThanOrEqual(3);
  await section.locator('summary', { hasText: 'Every measured task' }).click();
  expect(await section.locator('details[open] tbody tr').count()).toBe(report.rates.length);
  expect(complaints).toEqual([]);
  await page.close();
});

test('shows the tool calls, the edit, the failing test and the patch of a trajectory that is chosen from the list', {
  timeout: patientMs,
}, async () => {
  const { page, complaints } = await open({ report: reports.plain });
  await page.selectOption('#filter-purpose', 'evaluation');
  await page.selectOption('#filter-outcome', 'not solved');
  const entries = page.locator('#trajectory-list a');
  expect(await entries.count()).toBeGreaterThan(3);
  const third = entries.nth(2);
  const task = (await third.locator('.entry-task').textContent()) ?? '';
  await third.click();
  const detail = page.locator('#trajectory-detail');
  // The page answers a click once the address has changed.
  await detail.locator('h3', { hasText: task }).waitFor();
  expect(await third.getAttribute('aria-current')).toBe('true');
  expect(await detail.locator('.call-name').allTextContents()).toEqual(['Read', 'Edit']);
  expect(await detail.locator('.edit .removed pre').textContent()).toBe('  if (start >= end) return [];');
  expect(await detail.locator('.edit .added pre').textContent()).toBe('  if (end < 0) return [];');
  expect(await detail.textContent()).toContain('1 of 2 named tests passed');
  expect(await detail.locator('.patch .added').textContent()).toBe('+  if (end < 0) return [];\n');
  await page.selectOption('#filter-outcome', 'unscored');
  await entries.first().click();
  await detail.locator('.chips', { hasText: 'unscored: sandbox-failed (sandbox): the sandbox died' }).waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

test('leads from a finding of the audit to its evidence in the flagged trajectory, with the verdict', { timeout: patientMs }, async () => {
  const { page } = await open({ report: reports.plain });
  const link = page.locator('#audit a[href*="-finding-"]').nth(3);
  const [task] = ((await link.textContent()) ?? '').split('.');
  await link.click();
  const detail = page.locator('#trajectory-detail');
  // The page answers a click once the address has changed.
  await detail.locator('h3', { hasText: task }).waitFor();
  const call = detail.locator('.call', { hasText: 'Bash' });
  expect(await call.locator('.flagged').textContent()).toBe('A2-hidden-tests');
  expect(await detail.locator('.evidence').textContent()).toBe(await call.textContent());
  await expect.poll(() => page.evaluate('document.querySelector(".evidence").getBoundingClientRect().top < innerHeight')).toBe(true);
  expect(await detail.textContent()).toContain('The patch holds a line that turn 2 showed.');
  await page.locator('#filter-flagged').check();
  expect(await page.locator('#trajectory-count').textContent()).toBe('6 of 78 shown');
  await page.close();
});

test('lets hostile text do nothing and shows it as text', { timeout: patientMs }, async () => {
  const { page, complaints, requests } = await open({ report: reports.hostile });
  await page.locator('#trajectory-list a').nth(1).click();
  expect(await page.locator('#trajectory-detail').textContent()).toContain("<script>document.title='owned'</script>");
  expect(await page.title()).not.toBe('owned');
  expect(await page.locator('img, iframe, main script:not([type="application/json"])').count()).toBe(0);
  expect(requests).toEqual([reports.hostile]);
  expect(complaints).toEqual([]);
  await page.close();
});

test('draws a picture in light and in dark, and fits a telephone', { timeout: patientMs }, async () => {
  const backgrounds: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await open({ report: reports.plain, colorScheme });
    expect(distinctBytes(await page.screenshot())).toBeGreaterThan(64);
    backgrounds.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
    await page.close();
  }
  expect(new Set(backgrounds).size).toBe(2);
  const { page } = await open({ report: reports.plain, width: 390 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.close();
});

/** Different bytes in a PNG's pixel data; a uniform picture has next to none. */
function distinctBytes(png: Buffer): number {
  const parts: Buffer[] = [];
  for (let offset = 8; offset < png.length; ) {
    const length = png.readUInt32BE(offset);
    if (png.toString('latin1', offset + 4, offset + 8) === 'IDAT') parts.push(png.subarray(offset + 8, offset + 8 + length));
    offset += length + 12;
  }
  return new Set(inflateSync(Buffer.concat(parts))).size;
}
