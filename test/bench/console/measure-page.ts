import type { Browser, Cookie, Page } from 'puppeteer-core';

/** A page to open without a cache, as somebody who is signed in. */
export interface Opening {
  readonly browser: Browser;
  readonly cookies: readonly Cookie[];
  readonly url: string;
}

/** The costs of opening a page. */
interface Measure {
  /** Milliseconds from the navigation until the content is there and the page is idle. */
  readonly readyMs: number;
  /** Calls of the API. */
  readonly calls: number;
  /** Compressed size of everything that was loaded. */
  readonly kilobytes: number;
}

/** Notes when the content of a page is first complete: its heading is there, and nothing is busy or a placeholder. */
const watchContent = `
new MutationObserver(() => {
  if (globalThis.contentAt !== undefined) return;
  if (document.querySelector('main h1') === null || document.querySelector('[aria-busy="true"], .skeleton') !== null) return;
  globalThis.contentAt = 0;
  requestAnimationFrame(() => setTimeout(() => { globalThis.contentAt = performance.now(); }));
}).observe(document, { childList: true, subtree: true, attributes: true });
`;

/** Opens a page and measures how long it takes until one can use it. */
export async function measurePage(opening: Opening): Promise<Measure> {
  return await usePage(opening, async (page) => {
    let [calls, bytes] = [0, 0];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/')) calls += 1;
    });
    const protocol = await page.createCDPSession();
    await protocol.send('Network.enable');
    protocol.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.evaluateOnNewDocument(watchContent);
    await page.goto(opening.url, { waitUntil: 'networkidle0' });
    await page.waitForFunction('globalThis.contentAt > 0');
    const readyMs = (await page.evaluate('globalThis.contentAt')) as number;
    return { readyMs, calls, kilobytes: Math.round(bytes / 1_000) };
  });
}

/** Returns the time until an empty page is painted, in milliseconds. */
export async function measureEmptyPage(opening: Opening): Promise<number> {
  return await usePage(opening, async (page) => {
    await page.goto(opening.url, { waitUntil: 'networkidle0' });
    const painted = `new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.getEntriesByType('navigation')[0].loadEventEnd))))`;
    return (await page.evaluate(painted)) as number;
  });
}

/** Types a text into the search of a page. @returns the longest task meanwhile, in milliseconds; 0 if none takes 50 or more. */
export async function measureTyping(opening: Opening, text: string): Promise<number> {
  return await usePage(opening, async (page) => {
    await page.goto(opening.url, { waitUntil: 'networkidle0' });
    await page.evaluate(`
      globalThis.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
      }).observe({ type: 'longtask' });
    `);
    await page.type('[data-search]', text, { delay: 60 });
    await page.waitForNetworkIdle({ idleTime: 300 });
    return (await page.evaluate('globalThis.longest')) as number;
  });
}

async function usePage<T>({ browser, cookies }: Opening, use: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.createBrowserContext();
  try {
    await context.setCookie(...cookies);
    const page = await context.newPage();
    await page.setViewport({ width: 1_280, height: 860 });
    return await use(page);
  } finally {
    await context.close();
  }
}
