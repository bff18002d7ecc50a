import puppeteer, { type Browser } from 'puppeteer-core';
import { runCommand, type Verdict } from '../../infra/commands/command.ts';
import { startLocalProcess } from '../harness/local-process.ts';
import { proveReference } from './console/api-reference.ts';
import { journeys } from './console/journeys.ts';
import { lookAt } from './console/look.ts';
import { openPages, pages } from './console/pages.ts';
import { desktop, Person, phone, type Theme } from './console/person.ts';
import { provePreview } from './console/preview.ts';
import { askAs, goThrough, password, people, prepare } from './console/stage.ts';
import { amountOption, secondsSince, seedIn, usualOptions, verdictOn } from './options.ts';
import { Promises } from './promises.ts';
import { findChromium, findFirefox } from './sdks/tools.ts';

const help = `Proves the console: people at a real Chromium go through it on a fresh "npm start". They sign in, create and roll out a flag,
have changes approved, override approval on a phone, and resolve a conflict of two browsers. Then each page is opened in both
themes, at a desk and at 390 px: no violation of WCAG A or AA by axe-core, no sideways scrolling, at most four requests. No
request may fail but for a listed reason, no script may throw, and nothing may violate the policy. The preview of who gets a flag
says the same as the playground. Ends with PASS, or with FAIL and 1.

It takes a Chromium (CHROME_PATH, or on the path), or a Firefox for --firefox (FIREFOX_PATH).

  npm run prove:console                          all, in some minutes
  npm run prove:console -- --quick               the pages in one theme, and fewer contexts for the preview
  npm run prove:console -- --only journeys       or pages, reference, preview
  npm run prove:console -- --firefox             the journeys in Firefox instead
  npm run prove:console -- --seed NUMBER         repeats the contexts of a run
  npm run prove:console -- --contexts NUMBER     as many for the preview (10000; quick: 500)
  npm run prove:console -- --screenshots FOLDER  keeps what each page looks like   (-h, --help: this text)`;

interface Options {
  readonly quick: boolean;
  readonly seed?: string | undefined;
  readonly contexts?: string | undefined;
  readonly only?: string | undefined;
  readonly firefox: boolean;
  readonly screenshots?: string | undefined;
}

async function prove(options: Options): Promise<Verdict> {
  const { quick, firefox, screenshots: pictures } = options;
  const only = firefox ? 'journeys' : options.only;
  const [seed, contexts] = [seedIn(options), amountOption(options, 'contexts', [500, 10_000])];
  const start = performance.now();
  await using local = await startLocalProcess({ store: 'memory', environment: { INIT_ADMIN_PASSWORD: password } });
  const { url } = local;
  const ask = askAs(url, local.token);
  const promises = new Promises('console');
  const browser = await (firefox
    ? puppeteer.launch({ browser: 'firefox', executablePath: findFirefox() })
    : puppeteer.launch({ executablePath: findChromium(), args: ['--no-sandbox'] }));
  const isAsked = (part: string) => only === undefined || only === part;
  try {
    await prepare(url, ask);
    for (const journey of isAsked('journeys') ? journeys : []) {
      const begun = performance.now();
      await goThrough(journey, browser, { url, ask, promises, pictures });
      console.log(`${journey.title}: ${secondsSince(begun)}`);
    }
    if (isAsked('pages')) await proveLooks(browser, { url, pictures }, quick ? ['light'] : ['light', 'dark'], promises);
    if (isAsked('reference')) await proveReference(browser, url, promises);
    if (isAsked('preview')) {
      const { compared, different } = await provePreview(seed, contexts);
      promises.hold('the preview was compared', compared > 0, compared);
      promises.same(`the preview says what the playground says (--seed ${seed})`, different, []);
    }
    const { broken, count } = promises;
    return verdictOn(broken, `${count} promises, ${broken.length} broken, in ${secondsSince(start)}.`);
  } finally {
    await browser.close();
  }
}

/** Opens every page in each theme, at a desk and on a phone. */
async function proveLooks(
  browser: Browser,
  options: { readonly url: string; readonly pictures: string | undefined },
  themes: readonly Theme[],
  promises: Promises,
): Promise<void> {
  for (const [form, viewport] of Object.entries({ desktop, phone })) {
    const begun = performance.now();
    await using stranger = await Person.open(browser, { ...options, viewport });
    await using admin = await Person.open(browser, { ...options, viewport });
    await admin.signIn(people.admin, password);
    for (const theme of themes) {
      await lookAt(stranger, openPages, { theme, form: `${form} signed out` }, promises);
      await lookAt(admin, pages, { theme, form }, promises);
    }
    promises.same(`${form}: no page fails`, [...stranger.problems, ...admin.problems], []);
    console.log(`The pages on a ${form}: ${secondsSince(begun)}`);
  }
}

await runCommand({
  name: 'prove:console',
  help,
  options: {
    ...usualOptions,
    contexts: { type: 'string' },
    firefox: { type: 'boolean', default: false },
    only: { type: 'string' },
    screenshots: { type: 'string' },
  },
  run: ({ values }) => prove(values),
});
