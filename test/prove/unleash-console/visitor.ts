import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ElementHandle, HTTPRequest, HTTPResponse, Page } from 'puppeteer-core';
import { reasonOf } from './expected.ts';
import { faults } from './looks.ts';
import { byId } from './selectors.ts';

/** Most time for anything: a list of flags keeps a processor busy for some 15 s at first, on Unleash itself as well. */
const patienceMs = 60_000;
/** Time without any activity after which a page counts as complete. */
const quietMs = 300;
/** Most time to wait for a page that never stops asking. */
const settleMsMax = 5_000;
const pollMs = 100;

type Role = 'button' | 'combobox' | 'option' | 'menuitem';

/** Somebody at a browser, who finds things by their names, and notes all that goes wrong. */
export class Visitor {
  readonly #page: Page;
  readonly #url: string;
  readonly #pictures: string | undefined;
  readonly #wrong = new Map<string, string>();
  readonly #expected = new Map<string, string>();
  readonly #unanswered = new Set<HTTPRequest>();
  /** Time since which nothing has been under way; infinite while something is. */
  #quietSince = Date.now();
  #requests = 0;
  #step = '';
  #count = 0;

  /** @param pictures the folder for what each page looks like; none are taken without it. */
  constructor(page: Page, url: string, pictures?: string) {
    this.#page = page;
    this.#url = url;
    this.#pictures = pictures;
    if (pictures !== undefined) mkdirSync(pictures, { recursive: true });
    page.setDefaultTimeout(patienceMs);
    page.on('request', (request) => {
      this.#requests += 1;
      this.#unanswered.add(request);
      this.#quietSince = Number.POSITIVE_INFINITY;
    });
    page.on('response', (response) => {
      this.#isAnswered(response.request());
      this.#look(response);
    });
    page.on('requestfailed', (request) => {
      this.#isAnswered(request);
      // A page that does not read the body of an answer has had the answer.
      if (request.response() === null) this.#note(request, request.failure()?.errorText ?? 'failed');
    });
    page.on('pageerror', (error) => this.#add(`a script threw ${error instanceof Error ? error.stack : error}`));
  }

  get requests(): number {
    return this.#requests;
  }

  /** Problems, once each, with the step in which they first occurred. */
  get wrong(): readonly string[] {
    return [...this.#wrong].map(([what, step]) => `${step}: ${what}`);
  }

  /** Expected problems, with their reasons. */
  get expected(): readonly string[] {
    return [...this.#expected].map(([what, reason]) => `${what}: ${reason}`);
  }

  begin(step: string): void {
    this.#step = step;
  }

  /** Goes to an address of the site. */
  async open(path: string): Promise<void> {
    // Chromium does not always report the end of requests that the previous page made.
    this.#unanswered.clear();
    await this.#page.goto(`${this.#url}${path}`, { waitUntil: 'domcontentloaded' });
    await this.settle();
  }

  /** Signs in by the form of the page. */
  async signIn(name: string, password: string): Promise<void> {
    await this.write(`${byId('LOGIN_EMAIL_ID')} input`, name);
    await this.write(`${byId('LOGIN_PASSWORD_ID')} input`, password);
    await this.pressAt(byId('LOGIN_BUTTON'));
  }

  async press(name: string, role: Role = 'button'): Promise<void> {
    await this.pressAt(`::-p-aria([name="${name}"][role="${role}"])`);
  }

  /** Presses an element without a name that a person would go by. */
  async pressAt(selector: string): Promise<void> {
    const found = await this.#find(selector);
    await found.click();
    await this.settle();
  }

  /** Turns to a part of a form; how many things are in it is part of its name. */
  async tab(name: string): Promise<void> {
    await this.pressAt(`::-p-xpath(//button[@role="tab"][starts-with(normalize-space(.), "${name}")])`);
  }

  /**
   * Replaces the text of a field.
   * @param pauseMs between two letters, for a form that asks about each and shows the answer that comes last.
   */
  async write(selector: string, text: string, pauseMs = 0): Promise<void> {
    const field = await this.#find(selector);
    await field.click({ count: 3 });
    await this.#page.keyboard.press('Backspace');
    await this.#page.keyboard.type(text, { delay: pauseMs });
    await this.settle();
  }

  async key(...keys: readonly ('Enter' | 'Escape' | 'Tab' | 'ArrowDown')[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
    await this.settle();
  }

  /** Takes one of the options that a list offers. */
  async choose(list: string, option: string): Promise<void> {
    await this.pressAt(list);
    await this.press(option, 'option');
  }

  /** Waits until the page says something. */
  async sees(text: string): Promise<void> {
    const isShown = `document.body.innerText.includes(${JSON.stringify(text)})`;
    await this.#page.waitForFunction(isShown, { polling: 100, timeout: patienceMs });
  }

  /** Waits until the address is another one. */
  async arrives(path: string | RegExp): Promise<void> {
    const isThere = () => {
      const { pathname } = new URL(this.#page.url());
      return typeof path === 'string' ? pathname === path : path.test(pathname);
    };
    const until = Date.now() + patienceMs;
    while (!isThere()) {
      if (Date.now() > until) throw new Error(`The page is ${this.#page.url()}, not ${path}.`);
      await sleep(pollMs);
    }
    await this.settle();
  }

  /**
   * Asks the service for something as a script of its page does.
   * @throws Error where it refuses.
   */
  async ask(method: string, path: string, body?: object, more: Record<string, string> = {}): Promise<unknown> {
    const init = { method, headers: { 'content-type': 'application/json', ...more }, body: JSON.stringify(body) };
    const script = `fetch(${JSON.stringify(path)}, ${JSON.stringify(init)}).then(async (reply) => [reply.status, await reply.text()])`;
    const [status, text] = (await this.#page.evaluate(script)) as [number, string];
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Runs a script in the page and returns its result. */
  evaluate(script: string): Promise<unknown> {
    return this.#page.evaluate(script);
  }

  /** Looks at the page, and keeps what it looks like. */
  async picture(name: string): Promise<void> {
    const path = new URL(this.#page.url()).pathname;
    for (const fault of await this.#faults()) this.#add(`${path}: ${fault}`);
    if (this.#pictures === undefined) return;
    this.#count += 1;
    const number = String(this.#count).padStart(2, '0');
    await this.#page.screenshot({ path: join(this.#pictures, `${number}-${name}.png`) as `${string}.png` });
  }

  /** Returns the problems that remain on the page, some of which is drawn before its data has arrived. */
  async #faults(): Promise<string[]> {
    const until = Date.now() + settleMsMax;
    let found = (await this.#page.evaluate(faults)) as string[];
    for (; found.length > 0 && Date.now() < until; await sleep(pollMs)) {
      found = (await this.#page.evaluate(faults)) as string[];
    }
    return found;
  }

  /**
   * Waits until all requests have been answered; a page that never stops asking is taken as it is. Puppeteer's own wait
   * is also for the ends of the bodies, which never come if the page does not read them.
   */
  async settle(): Promise<void> {
    const until = Date.now() + settleMsMax;
    this.#quietSince = this.#unanswered.size === 0 ? Date.now() : Number.POSITIVE_INFINITY;
    while (Date.now() < until && Date.now() - this.#quietSince < quietMs) await sleep(pollMs);
  }

  #isAnswered(request: HTTPRequest): void {
    this.#unanswered.delete(request);
    if (this.#unanswered.size === 0) this.#quietSince = Date.now();
  }

  /** Finds an element that can be pressed: it is visible, enabled, and no longer moving. */
  async #find(selector: string): Promise<ElementHandle> {
    const until = Date.now() + patienceMs;
    let before = new Map<string, ElementHandle>();
    for (;;) {
      const now = new Map<string, ElementHandle>();
      for (const found of await this.#page.$$(selector)) {
        const place = await found.evaluate(placeOf).catch(() => '');
        if (place !== '' && before.has(place)) return found;
        now.set(place, found);
      }
      before = now;
      if (Date.now() > until) throw new Error(`There is no ${selector} on ${this.#page.url()}.`);
      await sleep(pollMs);
    }
  }

  #look(response: HTTPResponse): void {
    if (response.status() >= 400) this.#note(response.request(), String(response.status()));
  }

  #note(request: HTTPRequest, outcome: string): void {
    const { origin, pathname } = new URL(request.url());
    const what = `${request.method()} ${origin === this.#url ? pathname : origin} ${outcome}`;
    const reason = reasonOf(`${this.#step}: ${what}`);
    if (reason === undefined) this.#add(what);
    else this.#expected.set(what, reason);
  }

  #add(what: string): void {
    if (!this.#wrong.has(what)) this.#wrong.set(what, this.#step);
  }
}

/** Properties of an element as a script of the page sees them. */
interface Shown {
  readonly disabled?: boolean;
  scrollIntoView(options: { block: 'center'; behavior: 'instant' }): void;
  getBoundingClientRect(): { x: number; y: number; width: number; height: number };
}

/** Returns the position of an element in the window; empty if it cannot be pressed. Runs in the page. */
function placeOf(element: unknown): string {
  const shown = element as Shown;
  shown.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { x, y, width, height } = shown.getBoundingClientRect();
  return shown.disabled || width === 0 || height === 0 ? '' : [x, y, width, height].join();
}
