import { setTimeout as sleep } from 'node:timers/promises';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'puppeteer-core';
import { desktop } from './person.ts';
import { openServer, type PartOptions } from './stage.ts';

/** Selector of elements that can be pressed. */
const pressable = 'a[href], button, input, select, summary';
/** Web Content Accessibility Guidelines, at the levels A and AA. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Number of such elements looked for, and of presses of the Tab key: areas that scroll can be focused, too. */
const lookedFor = 60;
const tabsMax = 6 * lookedFor;
/** The reference draws hundreds of operations, which takes minutes on a busy machine. */
const patienceMs = 600_000;

const path = '/docs';
/** It is complete when operations are shown. */
const complete = '.opblock';

/** Shows the API reference to somebody in need of a keyboard, of contrast, or of a screen reader. */
export async function proveReference({ browser, promises }: PartOptions): Promise<void> {
  await using server = await openServer();
  const { url } = server;
  const page = await browser.newPage();
  await page.setViewport(desktop);
  page.setDefaultTimeout(patienceMs);
  const asked: string[] = [];
  const thrown: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => thrown.push(String(error)));
  page.on('console', (message) => {
    // A try without a token is refused.
    if (message.type() === 'error' && !message.text().includes('401')) thrown.push(message.text());
  });
  for (const scheme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.goto(`${url}${path}`, { waitUntil: 'load' });
    await page.waitForSelector(complete);
    await tryFirst(page);
    promises.same(`${path}, ${scheme}: no violation of A or AA`, await violationsOn(page), []);
  }
  await page.goto(`${url}${path}`, { waitUntil: 'load' });
  await page.waitForSelector(complete);
  await allShown(page);
  const unreached = await unreachedOn(page);
  promises.same(`${path}: whatever can be pressed is reached by the Tab key`, unreached, []);
  const foreign = asked.filter((each) => !each.startsWith(`${url}/`) && !each.startsWith('data:'));
  promises.same('no request leaves the service', foreign, []);
  promises.same('no script breaks', thrown, []);
}

/** Opens the form of an operation. */
async function tryFirst(page: Page): Promise<void> {
  for (const button of ['.opblock-summary-control', '.try-out__btn', '.execute']) {
    const found = await page.waitForSelector(button);
    await found?.evaluate((each) => (each as unknown as { click(): void }).click());
  }
}

async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const run = `axe.run(document, { runOnly: { type: 'tag', values: ${JSON.stringify(rules)} }, resultTypes: ['violations'] })`;
  const { violations } = (await page.evaluate(run)) as AxeResults;
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.length} times, as in ${nodes[0]?.html.slice(0, 200)}: ${nodes[0]?.failureSummary}`,
  );
}

/** Waits until nothing was added for half a second: the reference draws its operations one by one. */
async function allShown(page: Page): Promise<void> {
  let before = -1;
  for (let count = 0; count !== before; await sleep(500)) {
    before = count;
    count = (await page.evaluate(`document.querySelectorAll('${pressable}').length`)) as number;
  }
}

/** Number of times that the Tab key goes on from where the reference has replaced the element that had the focus. */
const roundsMax = 10;

/** Returns those of the first elements that the Tab key does not reach, from the top or from the one before them. */
async function unreachedOn(page: Page): Promise<string[]> {
  // The focus moves some time after the key, so that asking for it after each key would miss some. The reference replaces
  // elements where they are, so that an element is known by its place.
  await page.evaluate(`document.reached = new Set();
    document.placeOf = (each) => {
      const above = each.parentElement;
      return above === null ? '' : document.placeOf(above) + '.' + [...above.children].indexOf(each);
    };
    document.wanted = () => [...document.querySelectorAll('${pressable}')]
      .filter((each) => each.checkVisibility() && !each.disabled && each.tabIndex >= 0)
      .slice(0, ${lookedFor});
    document.unreached = () => document.wanted().filter((each) => !document.reached.has(document.placeOf(each)));
    document.addEventListener('focusin', ({ target }) => document.reached.add(document.placeOf(target)));
    document.body.focus()`);
  for (let tab = 0; tab < tabsMax; tab += 1) await page.keyboard.press('Tab');
  for (let round = 0; round < roundsMax; round += 1) {
    const left = (await page.evaluate('document.unreached().length')) as number;
    if (left === 0) break;
    await page.evaluate(`{
      const all = document.wanted();
      all[all.indexOf(document.unreached()[0]) - 1]?.focus();
    }`);
    for (let tab = 0; tab < left + 5; tab += 1) await page.keyboard.press('Tab');
  }
  return (await page.evaluate('document.unreached().map((each) => each.outerHTML.slice(0, 120))')) as string[];
}
