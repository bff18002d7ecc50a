import type { Page } from 'puppeteer-core';
import { expectedReasonOf } from './expected.ts';

/** The requests of a page, and everything that goes wrong in it. */
export class PageTraffic {
  readonly #page: Page;
  readonly #problems = new Set<string>();
  readonly #running = new Set<unknown>();
  #quietSince = Date.now();
  #requests = 0;

  /** @param url the address of the service, which no request leaves. */
  constructor(page: Page, url: string) {
    this.#page = page;
    page.on('pageerror', (error) => this.#note(`a script threw ${error instanceof Error ? error.stack : error}`));
    // Chromium reports violations of the policy as errors.
    page.on('console', (message) => {
      if (message.type() === 'error') this.#note(message.text());
    });
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/')) this.#requests += 1;
      this.#running.add(request);
      this.#quietSince = Number.POSITIVE_INFINITY;
    });
    page.on('response', (response) => {
      const request = response.request();
      this.#end(request);
      const { origin, pathname } = new URL(request.url());
      if (origin !== url && origin !== 'null') this.#note(`a request leaves the service: ${origin}`);
      if (response.status() >= 400) this.#note(`${request.method()} ${pathname} ${response.status()}`);
    });
    page.on('requestfailed', (request) => {
      this.#end(request);
      const { pathname } = new URL(request.url());
      if (request.response() === null) this.#note(`${request.method()} ${pathname} ${request.failure()?.errorText}`);
    });
  }

  /** Failed requests, script errors and violations of the policy, once each. */
  get problems(): readonly string[] {
    return [...this.#problems];
  }

  /** The number of requests to the API since the page was opened. */
  get requests(): number {
    return this.#requests;
  }

  /** Counts from zero: another page is opened. */
  begin(): void {
    this.#running.clear();
    this.#requests = 0;
  }

  /** Begins to wait for a quiet time, after something was done that may cause requests. */
  startWaiting(): void {
    if (this.#running.size === 0) this.#quietSince = Date.now();
  }

  /** Milliseconds in which no request ran. */
  get quietMs(): number {
    return Date.now() - this.#quietSince;
  }

  #note(failure: string): void {
    if (expectedReasonOf(failure) === undefined)
      this.#problems.add(`${new URL(this.#page.url()).pathname}: ${failure}`);
  }

  #end(request: unknown): void {
    this.#running.delete(request);
    if (this.#running.size === 0) this.#quietSince = Date.now();
  }
}
