import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Page } from 'puppeteer-core';
import { runCommand } from '../../infra/commands/command.ts';
import { startLocalProcess } from '../harness/local-process.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { findChromium } from '../prove/sdks/tools.ts';
import { demoPassword, seedDemoTeam } from './demo-team.ts';

const help = `Takes the pictures of the README: starts a server, fills it with a made-up team, and photographs the console in Chromium.

It takes a Chromium (CHROME_PATH, or on the path).

  npm run pictures   (-h, --help: this text)`;

const folder = fileURLToPath(new URL('../../.github/pictures/', import.meta.url));

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly theme: 'light' | 'dark';
  readonly isPhone?: boolean;
}

const pictures: readonly Picture[] = [
  { name: 'flag-light', path: '/projects/checkout/features/new-checkout', theme: 'light' },
  { name: 'flag-dark', path: '/projects/checkout/features/new-checkout', theme: 'dark' },
  { name: 'request-light', path: '/projects/checkout/change-requests/1', theme: 'light' },
  { name: 'request-dark', path: '/projects/checkout/change-requests/1', theme: 'dark' },
  { name: 'now', path: '/now', theme: 'light', isPhone: true },
];

async function takePictures(): Promise<void> {
  using clock = temporaryFolder();
  const offsetFile = join(clock.path, 'offset');
  writeFileSync(offsetFile, '0');
  const shiftedClock = new URL('shifted-clock.mjs', import.meta.url).href;
  const environment = {
    CLOCK_OFFSET_FILE: offsetFile,
    NODE_OPTIONS: `--import ${shiftedClock}`,
    INIT_ADMIN_PASSWORD: demoPassword,
    INTEGRATIONS: 'off',
  };
  await using server = await startLocalProcess({ store: 'memory', environment });
  const setClockBack = async (span: number) => {
    writeFileSync(offsetFile, String(Math.round(span)));
    // The server reads the file every 20 ms.
    await sleep(60);
  };
  await seedDemoTeam({ url: server.url, token: server.token, setClockBack });
  // Reports of SDKs are written some seconds later.
  await sleep(6_000);
  const browser = await puppeteer.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  mkdirSync(folder, { recursive: true });
  try {
    const page = await browser.newPage();
    await signIn(page, server.url);
    for (const picture of pictures) await takePicture(page, server.url, picture);
  } finally {
    await browser.close();
  }
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/now`, { waitUntil: 'networkidle0' });
  await page.type('input[autocomplete="username"]', 'priya');
  await page.type('input[type="password"]', demoPassword);
  await page.keyboard.press('Enter');
  await page.waitForSelector('nav');
}

async function takePicture(page: Page, url: string, { name, path, theme, isPhone = false }: Picture): Promise<void> {
  const size = isPhone ? { width: 390, height: 844 } : { width: 1_280, height: 860 };
  await page.setViewport({ ...size, deviceScaleFactor: isPhone ? 1.5 : 1, isMobile: isPhone, hasTouch: isPhone });
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  await page.goto(`${url}${path}`, { waitUntil: 'networkidle0' });
  await page.waitForSelector('h1');
  // The heading takes the focus when a page opens, which a picture need not show.
  await page.evaluate('document.activeElement?.blur()');
  await sleep(500);
  const file = join(folder, `${name}.webp`);
  writeFileSync(file, await page.screenshot({ type: 'webp', quality: 82 }));
  console.log(`${file}: ${Math.round(statSync(file).size / 1_000)} kB`);
}

await runCommand({ name: 'pictures', help, run: takePictures });
