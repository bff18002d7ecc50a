import type { HTTPResponse, Page } from 'puppeteer-core';

/** Answers that contain a secret for a reason. */
const reasons: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^\/api\/admin\/invite-link\/tokens$/, 'an Admin passes an invitation link on again, which makes Viewers alone'],
  [/^\/api\/admin\/auth\/oidc\/settings$/, 'Terraform compares the secret of the client with its own'],
];

/** The shortest text that is a secret. */
const secretMin = 16;

/** Everything on a service that lets somebody in, and the places where a browser got it. */
export class Secrets {
  readonly #all = new Set<string>();
  readonly #found = new Set<string>();
  readonly #reading: Promise<void>[] = [];

  /** Places that contain a secret without a reason. */
  get found(): readonly string[] {
    return [...this.#found];
  }

  get count(): number {
    return this.#all.size;
  }

  add(secret: string): void {
    if (secret.length >= secretMin) this.#all.add(secret);
  }

  /** Learns the secrets of an answer of the API: tokens, and links with one. */
  learnFrom(answer: unknown): void {
    if (typeof answer !== 'object' || answer === null) return;
    // Everybody can read a token for pages in these.
    if ('type' in answer && answer.type === 'frontend') return;
    for (const [name, value] of Object.entries(answer)) {
      if (typeof value === 'object') this.learnFrom(value);
      else if (name === 'secret') this.add(String(value));
      else if (/Link$|Url$/i.test(name)) this.add(new URLSearchParams(String(value).split('?')[1]).get('token') ?? '');
    }
  }

  /** Reads every answer that a page gets from now on. */
  watch(page: Page): void {
    page.on('response', (response) => {
      this.#reading.push(this.#search(response));
    });
  }

  /** Searches a page, and everything that its browser keeps where scripts can read it. */
  async searchPage(page: Page): Promise<void> {
    await Promise.all(this.#reading.splice(0));
    const shown = await page.evaluate(`document.documentElement.outerHTML + JSON.stringify([
      { ...localStorage }, { ...sessionStorage }, document.cookie,
      [...document.querySelectorAll('input, textarea, output')].map(({ value }) => value),
    ])`);
    this.#note(`the page ${page.url()}`, String(shown));
  }

  async #search(response: HTTPResponse): Promise<void> {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith('/api/') || reasons.some(([path]) => path.test(pathname))) return;
    // A page that was left has no answers any more.
    this.#note(`the answer of ${pathname}`, await response.text().catch(() => ''));
  }

  #note(place: string, text: string): void {
    for (const secret of this.#all) if (text.includes(secret)) this.#found.add(`${place}: ${secret.slice(0, 12)}`);
  }
}
