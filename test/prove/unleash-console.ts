import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';
import { runCommand, type Verdict } from '../../infra/commands/command.ts';
import { findConsole } from '../../infra/console/release.ts';
import { brandReplacements } from '../../infra/console/remove-brand.ts';
import { describeError, Problem } from '../../infra/problem.ts';
import { unleashPatches } from '../../lib/pages/unleash-patches.ts';
import { startLocalProcess } from '../harness/local-process.ts';
import { secondsSince, verdictOn } from './options.ts';
import { Promises } from './promises.ts';
import { findChromium } from './sdks/tools.ts';
import { proveApproval } from './unleash-console/approval.ts';
import { Visitor } from './unleash-console/visitor.ts';
import { adminPassword, menuTitle, type Walk, walk } from './unleash-console/walk.ts';
import { Woken } from './unleash-console/woken.ts';

const help = `Proves that a team can work in Unleash's admin UI: somebody at a real Chromium signs in to a fresh "npm start", makes and changes
things by its forms, follows its menus, and signs out. No request may fail but for a reason that is
listed, no script may throw, no page may show an icon as a word, a broken number, an error or an offer, and none may wake more
than four functions where they are few. Ends with PASS, or with FAIL and 1.

It takes a Chromium (CHROME_PATH, or on the path) and the files of "npm run unleash-console".

  npm run prove:unleash-console                          all, in some minutes
  npm run prove:unleash-console -- --quick               looks for the places in its files that we change, and nothing else
  npm run prove:unleash-console -- --screenshots FOLDER  keeps what each page looks like   (-h, --help: this text)`;

const windowSize = { width: 1400, height: 1000 };

async function prove(isQuick: boolean, screenshots: string | undefined): Promise<Verdict> {
  const start = performance.now();
  const directory = findConsole();
  if (directory === undefined) {
    throw new Problem('The console is not here yet: run "npm run unleash-console" first.');
  }
  const executablePath = findChromium();
  const environment = {
    CONSOLE: 'unleash',
    INIT_ADMIN_PASSWORD: adminPassword,
    INTEGRATION_ALLOWED_HOSTS: '127.0.0.1',
  };
  await using local = await startLocalProcess({ store: 'file', environment });
  const { url } = local;
  const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox'], defaultViewport: windowSize });
  const promises = new Promises('console');
  try {
    provePatches(directory, promises);
    const requests = isQuick ? 0 : await goThrough(browser, url, screenshots, promises);
    const { broken, count } = promises;
    return verdictOn(
      broken,
      `${count} promises, ${broken.length} broken, with ${requests} requests of the console, in ${secondsSince(start)}.`,
    );
  } finally {
    await browser.close();
  }
}

/** Requires that each place in the console's scripts that is served with another text is there once. */
function provePatches(directory: string, promises: Promises): void {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const misplaced = Object.entries(unleashPatches).flatMap(([beginning, patches]) => {
    const scripts = files.filter((name) => name.startsWith(beginning));
    const text = scripts.map((name) => readFileSync(join(directory, name), 'utf8')).join('\n');
    return patches.filter(({ from }) => text.split(from).length !== 2).map(({ from }) => `${beginning}: ${from}`);
  });
  const first = files
    .filter((name) => name.startsWith('static/index-'))
    .map((name) => readFileSync(join(directory, name), 'utf8'));
  const unchanged = brandReplacements.filter(({ to }) => first.join('\n').split(to).length !== 2).map(({ to }) => to);
  promises.same('each place with the trademark was found once', unchanged, []);
  promises.same('each place of the scripts that is served with another text is there once', misplaced, []);
}

/** Takes all steps, one after the other: those that follow one that failed may fail for that. */
async function goThrough(browser: Browser, url: string, screenshots: string | undefined, promises: Promises) {
  const page = await browser.newPage();
  const visitor = new Visitor(page, url, screenshots);
  const woken = new Woken(page, url);
  for (const [title, step] of Object.entries(walk)) {
    // Its pages are opened and looked at, and nothing else is done there.
    if (title === menuTitle) woken.begin();
    await take(title, step, visitor, promises);
    if (title === menuTitle) await woken.report(promises);
  }
  promises.same('no request fails, and no script', visitor.wrong, []);
  const approved = await approval(browser, url, screenshots, promises);
  for (const line of visitor.expected) console.log(`Fails for a reason: ${line}`);
  return visitor.requests + approved;
}

async function approval(browser: Browser, url: string, screenshots: string | undefined, promises: Promises) {
  try {
    return await proveApproval(browser, url, adminPassword, promises, screenshots);
  } catch (error) {
    promises.hold('people approve what others ask for', false, describeError(error));
    return 0;
  }
}

async function take(title: string, step: Walk[string], visitor: Visitor, promises: Promises): Promise<void> {
  const start = performance.now();
  visitor.begin(title);
  try {
    await step(visitor);
    promises.hold(title, true);
  } catch (error) {
    promises.hold(title, false, describeError(error));
    await visitor.picture('failed');
  }
  console.log(`${title}: ${((performance.now() - start) / 1_000).toFixed(1)} s`);
}

await runCommand({
  name: 'prove:unleash-console',
  help,
  options: { quick: { type: 'boolean' }, screenshots: { type: 'string' } },
  run: ({ values }) => prove(values.quick === true, values.screenshots),
});
