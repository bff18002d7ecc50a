import { setTimeout as sleep } from 'node:timers/promises';
import puppeteer, { type Browser } from 'puppeteer-core';
import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { type LocalProcess, startLocalProcess } from '../harness/local-process.ts';
import { demoPassword, seedDemoTeam } from '../pictures/demo-team.ts';
import { findChromium } from '../prove/sdks/tools.ts';
import { measureEmptyPage, measurePage, measureTyping, type Opening } from './console/measure-page.ts';
import { medianOf } from './fresh-process.ts';

const help = `Measures how long the pages of the console take in Chromium until one can use them, above the time of an empty page, with their
calls of the API and the kilobytes that they load; and whether typing in the search of 1,000 flags holds the page up.
Ends with PASS, or with FAIL and 1 when a bar is not met. It takes a quiet machine, and a Chromium (CHROME_PATH, or on the path).

  npm run bench:console -- [OPTIONS]

  --quick       one run of each page instead of five
  -h, --help    this text`;

const options = { quick: { type: 'boolean', default: false } } as const;

/** A page, and the bars for it. */
interface Bar {
  readonly name: string;
  readonly path: string;
  readonly msMax: number;
  readonly callsMax: number;
}

const flag = '/projects/checkout/features/new-checkout';
const bars: readonly Bar[] = [
  { name: 'flags', path: '/projects/checkout', msMax: 300, callsMax: 2 },
  { name: '1,000 flags', path: '/projects/large', msMax: 450, callsMax: 2 },
  { name: 'flag', path: flag, msMax: 300, callsMax: 2 },
  { name: 'strategy', path: `${flag}/strategies/create?environmentId=production`, msMax: 300, callsMax: 4 },
  { name: 'reviews', path: '/reviews', msMax: 300, callsMax: 2 },
  { name: 'request', path: '/projects/checkout/change-requests/1', msMax: 300, callsMax: 2 },
  { name: 'now', path: '/now', msMax: 300, callsMax: 2 },
  { name: 'events', path: '/events', msMax: 300, callsMax: 2 },
];

/** The longest task while somebody types, in milliseconds. */
const typingTaskMax = 50;

async function bench({ values }: CommandLine<typeof options>): Promise<Verdict> {
  await using server = await startLocalProcess({
    store: 'memory',
    environment: { INIT_ADMIN_PASSWORD: demoPassword, INTEGRATIONS: 'off' },
  });
  await seedDemoTeam({ url: server.url, token: server.token, setClockBack: async () => {} });
  await addManyFlags(server);
  // Reports of SDKs are written some seconds later.
  await sleep(6_000);
  const browser = await puppeteer.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  try {
    return await measureAll(browser, server, values.quick ? 1 : 5);
  } finally {
    await browser.close();
  }
}

/** Adds a project with 1,000 flags. */
async function addManyFlags({ url, token }: LocalProcess): Promise<void> {
  const send = async (path: string, body: unknown) => {
    const headers = { authorization: token, 'content-type': 'application/json' };
    const reply = await fetch(`${url}/api/admin${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${await reply.text()}`);
  };
  await send('/projects', { id: 'large', name: 'Large' });
  for (let first = 0; first < 1_000; first += 200) {
    const names = Array.from({ length: 200 }, (_, index) => `flag-${String(first + index).padStart(4, '0')}`);
    await send('/features-batch/import', {
      project: 'large',
      environment: 'production',
      data: {
        features: names.map((name) => ({ name, description: `What ${name} does` })),
        featureStrategies: names.map((name) => ({
          ...{ featureName: name, name: 'flexibleRollout' },
          parameters: { rollout: '50', stickiness: 'default', groupId: name },
        })),
        featureEnvironments: names.map((name) => ({
          name,
          featureName: name,
          environment: 'production',
          enabled: true,
        })),
        tagTypes: [],
      },
    });
  }
}

async function measureAll(browser: Browser, { url }: LocalProcess, runs: number): Promise<Verdict> {
  const cookies = await signIn(browser, url);
  const open = (path: string): Opening => ({ browser, cookies, url: `${url}${path}` });
  const empty: number[] = [];
  const measured = bars.map((bar) => ({ bar, times: [] as number[], calls: 0, kilobytes: 0 }));
  // The pages take turns, so that a busy moment of the machine does not fall on one of them.
  for (let run = 0; run < runs; run += 1) {
    empty.push(await measureEmptyPage(open('/icon.svg')));
    for (const page of measured) {
      const { readyMs, calls, kilobytes } = await measurePage(open(page.bar.path));
      page.times.push(readyMs);
      page.calls = Math.max(page.calls, calls);
      page.kilobytes = kilobytes;
    }
  }
  const baseline = medianOf(empty);
  console.log(`An empty page takes ${baseline.toFixed(0)} ms. Medians of ${runs}, above that:`);
  const missed = measured.flatMap(({ bar, times, calls, kilobytes }) => {
    const ms = medianOf(times) - baseline;
    const isMet = ms <= bar.msMax && calls <= bar.callsMax;
    const line = `${bar.name}: ${ms.toFixed(0)} ms of ${bar.msMax}, ${calls} calls of ${bar.callsMax}, ${kilobytes} kB`;
    console.log(`${isMet ? '  ' : 'MISSED: '}${line}`);
    return isMet ? [] : [bar.name];
  });
  const longest = await measureTyping(open('/projects/large'), 'flag-01');
  console.log(
    `${longest > typingTaskMax ? 'MISSED: ' : '  '}typing: the longest task takes ${longest.toFixed(0)} ms of ${typingTaskMax}`,
  );
  if (longest > typingTaskMax) missed.push('typing');
  const summary = missed.length === 0 ? 'all pages meet their bars.' : `${missed.join(', ')} missed a bar.`;
  return { passed: missed.length === 0, summary };
}

async function signIn(browser: Browser, url: string) {
  const page = await browser.newPage();
  await page.goto(`${url}/now`, { waitUntil: 'networkidle0' });
  await page.type('input[autocomplete="username"]', 'priya');
  await page.type('input[type="password"]', demoPassword);
  await page.keyboard.press('Enter');
  await page.waitForSelector('nav');
  const cookies = await page.browserContext().cookies();
  await page.close();
  return cookies;
}

await runCommand({ name: 'bench:console', help, options, run: bench });
