import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, ElementHandle, Page } from 'puppeteer-core';
import { enterWith, type Hands, pressWith } from './hands.ts';
import { PageTraffic } from './page-traffic.ts';

/** The most time for anything on a busy machine. */
const patienceMs = 30_000;
const pollMs = 100;
/** The time without a running request after which a page counts as complete. */
const quietMs = 300;
/** The most time to wait for a page that asks again and again. */
const settleMs = 8_000;

/** The window of somebody at a desk. */
export const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844, isMobile: true, hasTouch: true };

export type Theme = 'light' | 'dark';

type Role =
  | 'button'
  | 'link'
  | 'switch'
  | 'radio'
  | 'checkbox'
  | 'option'
  | 'menuitem'
  | 'textbox'
  | 'searchbox'
  | 'spinbutton'
  | 'combobox'
  | 'menuitem';

interface PersonOptions {
  readonly url: string;
  /** The hands that act; a mouse unless others are given. A thumb works on a phone. */
  readonly hands?: Hands;
  /** The folder for pictures; without it, none are taken. */
  readonly pictures?: string | undefined;
}

/** Somebody in a browser of their own, who finds things by role and name, and notes everything that goes wrong. */
export class Person implements AsyncDisposable {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #options: PersonOptions;
  readonly #traffic: PageTraffic;

  private constructor(context: BrowserContext, page: Page, options: PersonOptions) {
    this.#context = context;
    this.page = page;
    this.#options = options;
    this.#traffic = new PageTraffic(page, options.url);
  }

  static async open(browser: Browser, options: PersonOptions): Promise<Person> {
    const context = await browser.createBrowserContext();
    const person = new Person(context, await context.newPage(), options);
    await person.#begin();
    return person;
  }

  async #begin(): Promise<void> {
    const { width, height, ...touch } = this.#hands === 'touch' ? phone : desktop;
    // Firefox has windows of every size, and no phones.
    const isFirefox = (await this.page.browser().version()).startsWith('firefox');
    await this.page.setViewport({ width, height, ...(!isFirefox && touch) });
    this.page.setDefaultTimeout(patienceMs);
  }

  get #hands(): Hands {
    return this.#options.hands ?? 'mouse';
  }

  /** Failed requests, script errors and violations of the policy, once each. */
  get problems(): readonly string[] {
    return this.#traffic.problems;
  }

  /** The number of requests to the API since the page was opened. */
  get requests(): number {
    return this.#traffic.requests;
  }

  async see(theme: Theme): Promise<void> {
    await this.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
  }

  /** Opens an address, and waits until its page is complete. */
  async open(path: string): Promise<void> {
    this.#traffic.begin();
    await this.page.goto(`${this.#options.url}${path}`, { waitUntil: 'domcontentloaded' });
    await this.settle();
  }

  async signIn(name: string, password: string): Promise<void> {
    await this.open('/');
    await this.write('User name or e-mail', name);
    await this.write('Password', password);
    await this.press('Sign in');
    await this.entersNavigation();
  }

  /** Waits until the person is signed in. */
  async entersNavigation(): Promise<void> {
    await this.until('somebody is signed in', () =>
      this.evaluate(`document.querySelector('nav[aria-label=Main]') !== null`),
    );
    await this.settle();
  }

  /** Presses something by its name, or by the beginning of its name. */
  async press(name: string | RegExp, role: Role = 'button'): Promise<void> {
    await pressWith(this.#hands, this.page, await this.find(name, role));
    await this.settle();
  }

  /** Replaces the text of a field. */
  async write(label: string, text: string): Promise<void> {
    const field = await this.find(
      new RegExp(`^${label.replaceAll(/[?()]/g, '\\$&')}`),
      'textbox',
      'searchbox',
      'spinbutton',
      'combobox',
    );
    await enterWith(this.#hands, this.page, field);
    await this.page.keyboard.press('Backspace');
    await this.page.keyboard.type(text);
    await this.settle();
  }

  /** Moves to an address within the console, as a link does. */
  async follow(name: string | RegExp): Promise<void> {
    await this.press(name, 'link');
  }

  /** Presses something in the navigation, which is a menu on a phone. */
  async pressInMenu(name: string | RegExp, role: Role = 'button'): Promise<void> {
    if (this.#hands === 'touch') await this.press('Menu');
    await this.press(name, role);
  }

  /** Jumps to something by the beginning of its name. */
  async jumpTo(name: string): Promise<void> {
    if (this.#hands === 'keyboard') {
      await this.page.keyboard.down('Control');
      await this.page.keyboard.press('k');
      await this.page.keyboard.up('Control');
    } else {
      await this.pressInMenu(/^Find a flag/);
    }
    await this.write('Find a flag, a project or a page', name);
    if (this.#hands === 'keyboard') await this.page.keyboard.press('Enter');
    else await this.press(new RegExp(`^${name}`), 'option');
    await this.settle();
  }

  /** Goes back in the history of the browser. */
  async back(): Promise<void> {
    await this.page.goBack({ waitUntil: 'domcontentloaded' });
    await this.settle();
  }

  /** Looks at this tab, of several of a browser. */
  async comeBack(): Promise<void> {
    await this.page.bringToFront();
  }

  /** Opens a second tab of this browser. */
  async openTab(path: string): Promise<Person> {
    const person = new Person(this.#context, await this.#context.newPage(), this.#options);
    await person.#begin();
    await person.open(path);
    return person;
  }

  /** Waits until the page shows a text. */
  async sees(text: string): Promise<void> {
    await this.until(`it says "${text}"`, () =>
      this.evaluate(`document.body.innerText.includes(${JSON.stringify(text)})`),
    );
  }

  /** Waits until the page has an address. */
  async arrives(path: RegExp): Promise<void> {
    await this.until(`it is at ${path}`, async () => path.test(new URL(this.page.url()).pathname));
    await this.settle();
  }

  /** Waits until a switch has a state. */
  async finds(name: string | RegExp, isOn: boolean): Promise<void> {
    await this.until(`${name} is ${isOn ? 'on' : 'off'}`, async () => {
      const found = await this.find(name, 'switch');
      return (
        (await found.evaluate((element) => (element as unknown as Attributes).getAttribute('aria-checked'))) ===
        String(isOn)
      );
    });
  }

  /** Returns the reason why a control does nothing, which screen readers read with its name; undefined if it works. */
  async refusalOf(name: string | RegExp, role: Role): Promise<string | undefined> {
    const found = await this.find(name, role);
    return found.evaluate((element) => {
      const shown = element as unknown as Attributes;
      return shown.getAttribute('aria-disabled') === 'true' ? (shown.getAttribute('title') ?? '') : undefined;
    });
  }

  /** Tells whether the page shows such an element now. */
  async has(name: string | RegExp, role: Role): Promise<boolean> {
    return (await this.#findNow(name, [role])) !== undefined;
  }

  /** Lists the differences that the page shows, as a screen reader reads them. */
  async listDifferences(): Promise<unknown> {
    await this.find(/./, 'button');
    return this.evaluate(`[...document.querySelectorAll('.diff td')].map((cell) => {
      const copy = cell.cloneNode(true);
      for (const hidden of copy.querySelectorAll('[aria-hidden]')) hidden.remove();
      return copy.textContent;
    })`);
  }

  evaluate(script: string): Promise<unknown> {
    return this.page.evaluate(script);
  }

  /**
   * Finds the first shown element with one of these roles and a name.
   * @throws Error if there is none in time.
   */
  async find(name: string | RegExp, ...roles: readonly Role[]): Promise<ElementHandle> {
    let found: ElementHandle | undefined;
    await this.until(`it has the ${roles.join(' or ')} ${name}`, async () => {
      found = await this.#findNow(name, roles);
      return found !== undefined;
    });
    return found as ElementHandle;
  }

  async #findNow(name: string | RegExp, roles: readonly Role[]): Promise<ElementHandle | undefined> {
    // Nothing behind an open dialog can be pressed.
    const scope = (await this.page.$('dialog:modal')) ?? this.page;
    for (const role of roles) {
      const selector =
        typeof name === 'string' ? `::-p-aria([name="${name}"][role="${role}"])` : `::-p-aria([role="${role}"])`;
      // Fields for passwords have no role in Firefox.
      const passwords = role === 'textbox' && typeof name !== 'string' ? await scope.$$('input[type=password]') : [];
      for (const element of [...(await scope.$$(selector)), ...passwords]) {
        if (!(await element.isVisible())) continue;
        if (typeof name === 'string' || name.test(await nameOf(element))) return element;
      }
    }
    return undefined;
  }

  /** @throws Error in time. */
  async until(condition: string, isSo: () => Promise<unknown>): Promise<void> {
    const end = Date.now() + patienceMs;
    while (!(await isSo().catch(() => false))) {
      if (Date.now() > end) throw new Error(`${this.page.url()}: not in time: ${condition}`);
      await sleep(pollMs);
    }
  }

  /** Waits until no request runs, and the page is no longer busy. */
  async settle(): Promise<void> {
    const end = Date.now() + settleMs;
    this.#traffic.startWaiting();
    while (Date.now() < end) {
      if (this.#traffic.quietMs >= quietMs && !(await this.#isBusy())) return;
      await sleep(pollMs);
    }
  }

  async #isBusy(): Promise<boolean> {
    const busy = await this.evaluate(`document.querySelector('[aria-busy=true], .skeleton') !== null`).catch(
      () => true,
    );
    return busy === true;
  }

  /** Keeps a picture of the page. */
  async picture(name: string): Promise<void> {
    const { pictures } = this.#options;
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    await this.page.screenshot({
      path: join(pictures, `${name.replaceAll(/[^a-z\d]+/gi, '-').slice(0, 120)}.png`) as `${string}.png`,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
  }
}

interface Attributes {
  readonly labels?: ArrayLike<{ readonly textContent: string | null }> &
    Iterable<{ readonly textContent: string | null }>;
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
}

function nameOf(element: ElementHandle): Promise<string> {
  return element.evaluate((found) => {
    const shown = found as unknown as Attributes;
    const [label] = shown.labels ?? [];
    return (shown.getAttribute('aria-label') ?? (label ?? shown).textContent ?? '').trim();
  });
}
