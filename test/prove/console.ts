import puppeteer from 'puppeteer-core';
import { runCommand, type Verdict } from '../../infra/commands/command.ts';
import { proveReference } from './console/api-reference.ts';
import { allHands } from './console/hands.ts';
import { proveHostile } from './console/hostile/prove-hostile.ts';
import { proveJourneys } from './console/journeys.ts';
import { proveLooks } from './console/look.ts';
import { provePreview } from './console/preview.ts';
import type { PartOptions } from './console/stage.ts';
import { amountOption, secondsSince, seedIn, usualOptions, verdictOn } from './options.ts';
import { Promises } from './promises.ts';
import { findChromium, findFirefox } from './sdks/tools.ts';

const help = `Proves the console: people at a real Chromium go through it on a fresh "npm start", with the mouse, with the keyboard alone and
with a thumb at 390 px. They sign in with passwords, SAML and OpenID Connect, create and roll out a flag, have changes approved,
scheduled and applied, override approval, resolve a conflict of two browsers, and leave nothing behind. Then each page is opened in
both themes, at a desk and at 390 px: no violation of WCAG A or AA by axe-core, no sideways scrolling, at most four requests. So are
those of a team whose names are hostile: nothing runs, and no page contains a secret. No request may fail but for a listed reason, no
script may throw, and nothing may violate the policy. The preview of who gets a flag says the same as the playground. Ends with
PASS, or with FAIL and 1.

It takes a Chromium (CHROME_PATH, or on the path), or a Firefox for --firefox (FIREFOX_PATH).

  npm run prove:console                          all, in 20 minutes
  npm run prove:console -- --quick               journeys with the mouse, pages in one theme, fewer contexts
  npm run prove:console -- --only journeys       or pages, hostile, reference, preview
  npm run prove:console -- --journey TEXT        only journeys with this text in their titles
  npm run prove:console -- --hands keyboard      only with these hands: mouse, keyboard, touch
  npm run prove:console -- --firefox             the journeys in Firefox instead, with the mouse
  npm run prove:console -- --seed NUMBER         repeats the contexts of a run
  npm run prove:console -- --contexts NUMBER     as many for the preview (10000; quick: 500)
  npm run prove:console -- --screenshots FOLDER  keeps what each page looks like   (-h, --help: this text)`;

interface Options {
  readonly quick: boolean;
  readonly seed?: string | undefined;
  readonly contexts?: string | undefined;
  readonly only?: string | undefined;
  readonly journey?: string | undefined;
  readonly hands?: string | undefined;
  readonly firefox: boolean;
  readonly screenshots?: string | undefined;
}

async function prove(options: Options): Promise<Verdict> {
  const { quick, firefox, screenshots: pictures } = options;
  const only = firefox || options.journey !== undefined ? 'journeys' : options.only;
  const [seed, contexts] = [seedIn(options), amountOption(options, 'contexts', [500, 10_000])];
  const start = performance.now();
  const promises = new Promises('console');
  await using stack = new AsyncDisposableStack();
  const browser = await (firefox
    ? puppeteer.launch({ browser: 'firefox', executablePath: findFirefox() })
    : puppeteer.launch({ executablePath: findChromium(), args: ['--no-sandbox'] }));
  stack.defer(() => browser.close());
  const part: PartOptions = { browser, pictures, promises, quick };
  const isAsked = (name: string) => only === undefined || only === name;
  // A driven Firefox has no touch, and its window no focus that shows.
  const hands = allHands.filter((each) => (options.hands ?? each) === each && !(firefox && each !== 'mouse'));
  if (isAsked('journeys')) await proveJourneys(part, hands, options.journey);
  if (isAsked('pages')) await proveLooks(part);
  if (isAsked('hostile')) await proveHostile(part);
  if (isAsked('reference')) await proveReference(part);
  if (isAsked('preview')) {
    const { compared, different } = await provePreview(seed, contexts);
    promises.hold('the preview was compared', compared > 0, compared);
    promises.same(`the preview says what the playground says (--seed ${seed})`, different, []);
  }
  const { broken, count } = promises;
  return verdictOn(broken, `${count} promises, ${broken.length} broken, in ${secondsSince(start)}.`);
}

await runCommand({
  name: 'prove:console',
  help,
  options: {
    ...usualOptions,
    contexts: { type: 'string' },
    firefox: { type: 'boolean', default: false },
    hands: { type: 'string' },
    journey: { type: 'string' },
    only: { type: 'string' },
    screenshots: { type: 'string' },
  },
  run: ({ values }) => prove(values),
});
