import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import puppeteer, { type HTTPResponse } from 'puppeteer-core';
import type { Promises } from '../promises.ts';
import type { Flags } from './flags.ts';
import { measureWith } from './impact-metrics.ts';
import { type PageMethod, pageContext, provePage } from './page-sdk.ts';
import { startSite } from './site.ts';
import { findChromium } from './tools.ts';

/** Time in which a page that polls every second finds nothing new. */
const unchangedMs = 5_000;

/**
 * Proves the official SDK of browsers in a real one, in a page of another site than the service. Faults that Node
 * forgives, such as a missing CORS header, are fatal here.
 * @throws NotHere if there is no browser.
 */
export async function proveInBrowser(flags: Flags, appName: string, method: PageMethod): Promise<Promises> {
  const executablePath = findChromium();
  const sdk = join(dirname(createRequire(import.meta.url).resolve('unleash-proxy-client')), 'main.min.js');
  await using site = await startSite({
    '/': ['text/html', readFileSync(new URL('page.html', import.meta.url), 'utf8')],
    '/sdk.js': ['text/javascript', readFileSync(sdk, 'utf8')],
  });
  const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox'] });
  const options = {
    url: `${flags.url}/api/frontend`,
    usePOSTrequests: method === 'POST',
    appName,
    context: pageContext,
  };
  const statuses: string[] = [];
  try {
    const promises = await provePage(
      flags,
      `unleash-proxy-client in Chromium, ${method}`,
      appName,
      async (clientKey) => {
        const page = await browser.newPage();
        page.on('response', (response) => statuses.push(`${response.request().method()} ${response.status()}`));
        await page.goto(site.url);
        await page.evaluate(`start(${JSON.stringify({ ...options, clientKey })})`);
        return {
          isReady: async () => (await page.evaluate('heard.ready')) === true,
          isEnabled: async (flag) => (await page.evaluate(`client.isEnabled('${flag}')`)) === true,
          payload: (flag) => page.evaluate(`client.getVariant('${flag}').payload`),
          updateContext: (context) =>
            page.evaluate(`client.updateContext(${JSON.stringify(context)}).then(() => true)`),
          errors: async () => (await page.evaluate('heard.errors')) as unknown[],
          measure: (orders, seconds) => page.evaluate(`(${measureWith})(client.impactMetrics, ${orders}, ${seconds})`),
          async [Symbol.asyncDispose]() {
            // So far each poll may have found a change.
            const isUnchanged = (response: HTTPResponse) => response.status() === 304;
            if (method === 'GET' && !statuses.includes('GET 304')) {
              await page.waitForResponse(isUnchanged, { timeout: unchangedMs }).catch(() => {});
            }
            await page.close();
          },
        };
      },
    );
    // A POST is answered in full each time, as Unleash does.
    if (method === 'GET') promises.hold('unchanged polls are answered 304', statuses.includes('GET 304'), statuses);
    return promises;
  } finally {
    await browser.close();
  }
}
