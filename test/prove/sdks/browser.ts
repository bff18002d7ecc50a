import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import puppeteer, { type Page } from 'puppeteer-core';
import type { Flags } from './flags.ts';
import { changeMs, Promises } from './promises.ts';
import { startSite } from './site.ts';
import { findChromium } from './tools.ts';

/** Interval at which the page polls. */
const intervalMs = 1_000;
const startMs = 20_000;

/**
 * Proves the official SDK of browsers in a real one, in a page of another site than the service. Faults that Node
 * forgives, such as a missing CORS header, are fatal here.
 * @throws NotHere if there is no browser.
 */
export async function proveInBrowser(flags: Flags, appName: string, method: 'GET' | 'POST'): Promise<Promises> {
  const promises = new Promises(`unleash-proxy-client in Chromium, ${method}`);
  const executablePath = findChromium();
  const sdk = join(dirname(createRequire(import.meta.url).resolve('unleash-proxy-client')), 'main.min.js');
  await using site = await startSite({
    '/': ['text/html', readFileSync(new URL('page.html', import.meta.url), 'utf8')],
    '/sdk.js': ['text/javascript', readFileSync(sdk, 'utf8')],
  });
  const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox'] });
  const options = { url: `${flags.url}/api/frontend`, usePOSTrequests: method === 'POST' };
  try {
    const page = await browser.newPage();
    const statuses: string[] = [];
    page.on('response', (response) => statuses.push(`${response.request().method()} ${response.status()}`));
    await page.goto(site.url);
    await start(page, { ...options, appName, clientKey: await flags.token('frontend') });
    await proveValues(promises, flags, page);
    // A POST is answered in full each time, as Unleash does.
    if (method === 'GET') promises.hold('unchanged polls are answered 304', statuses.includes('GET 304'), statuses);

    const refused = await browser.newPage();
    await refused.goto(site.url);
    // A token of a server is not for pages.
    await start(refused, { ...options, appName: `${appName}-wrong`, clientKey: await flags.token('client') });
    const isSaid = async () => String(await refused.evaluate('heard.errors.join()')).includes('403');
    await promises.within(startMs, 'a wrong token is said', isSaid);
  } finally {
    await browser.close();
  }
  return promises;
}

const context = { userId: '7', properties: { country: 'NZ' } };

async function start(page: Page, options: object): Promise<void> {
  await page.evaluate(`start(${JSON.stringify({ ...options, context })})`);
}

async function proveValues(promises: Promises, flags: Flags, page: Page): Promise<void> {
  const isEnabled = async (flag: string) => (await page.evaluate(`client.isEnabled('${flag}')`)) === true;
  await promises.within(startMs, 'ready', async () => (await page.evaluate('heard.ready')) === true);
  promises.same('plain', await isEnabled('plain'), true);
  promises.same('targeted', await isEnabled('targeted'), true);
  promises.same('regional', await isEnabled('regional'), true);
  promises.same('unknown', await isEnabled('unknown'), false);
  const payload = await page.evaluate("client.getVariant('text').payload");
  promises.same('variant', payload, { type: 'string', value: 'blue' });
  await page.evaluate("client.updateContext({ userId: '8', properties: { country: 'CH' } }).then(() => true)");
  promises.same('not targeted in another context', await isEnabled('targeted'), false);
  for (let round = 0; round < 2; round += 1) {
    const wanted = await flags.flip();
    const isSeen = async () => (await isEnabled('switched')) === wanted;
    await promises.within(intervalMs + changeMs, 'a change is seen', isSeen);
  }
  promises.same('no error', await page.evaluate('heard.errors'), []);
}
