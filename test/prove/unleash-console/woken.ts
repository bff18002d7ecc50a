import type { HTTPRequest, Page } from 'puppeteer-core';
import { functionOf, listEndpoints } from '../../../infra/deployed-endpoints.ts';
import { unroutedHandler } from '../../../infra/entry-points.ts';
import { matcherOf } from '../../../lib/http/route-matcher.ts';
import type { Promises } from '../promises.ts';
import { type ColdTimes, coldTimesOf } from './cold-times.ts';

/** Most functions that a page may wake if functions are few. */
const wokenMax = 4;
/** Least number of pages that have to be looked at. */
const pagesMin = 10;

const forms = ['many', 'few'] as const;
type Form = (typeof forms)[number];

/** The routes to the endpoints, each with the name of the function that it leads to. */
const matcherFor = (functions: Form) =>
  matcherOf(listEndpoints().map((each) => ({ ...each.declaration, name: functionOf(each, functions) })));
const matchers = { many: matcherFor('many'), few: matcherFor('few') };

/** A request of a page, the functions that it leads to, and when it was under way, in milliseconds. */
interface PageRequest {
  readonly method: string;
  readonly path: string;
  readonly functions: Readonly<Record<Form, string>>;
  readonly start: number;
  end: number;
}

/** The functions that pages of the console would wake where each has slept, of those that are deployed either way. */
export class Woken {
  readonly #url: string;
  readonly #pages = new Map<string, PageRequest[]>();
  readonly #underWay = new WeakMap<HTTPRequest, PageRequest>();
  #path = '';

  constructor(page: Page, url: string) {
    this.#url = url;
    page.on('request', (request) => this.#begin(page, request));
    for (const event of ['requestfinished', 'requestfailed'] as const) {
      page.on(event, (request) => this.#end(request));
    }
  }

  /** Forgets all pages: those before were not only looked at. */
  begin(): void {
    this.#pages.clear();
  }

  /**
   * Prints the functions that each page has woken with the time that it waits for them, and requires few where that is
   * chosen.
   */
  async report(promises: Promises): Promise<void> {
    const pages = [...this.#pages].map(([path, requests]) => ({ path, requests }));
    const all = pages.flatMap(({ requests }) => requests);
    const cold = await coldTimesOf(
      forms.flatMap((form) => all.map(({ functions, ...request }) => ({ ...request, name: functions[form] }))),
    );
    for (const { path, requests } of pages) {
      const counts = forms.map((form) => {
        const wait = coldWait(requests, form, cold);
        return `${namesOf(requests, form).size} of ${form} in ${wait.toFixed(0)} ms`;
      });
      console.log(`${path} wakes ${counts.join(', ')}: ${[...namesOf(requests, 'few')].toSorted().join(', ')}`);
    }
    promises.hold('ten pages or more were counted', pages.length >= pagesMin, pages.length);
    const beyond = pages.filter(({ requests }) => namesOf(requests, 'few').size > wokenMax).map(({ path }) => path);
    promises.same('no page wakes more than four functions where they are few', beyond, []);
  }

  #begin(page: Page, request: HTTPRequest): void {
    const { origin, pathname: path } = new URL(request.url());
    if (origin !== this.#url) return;
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) this.#path = path;
    const method = request.method();
    const nameOf = (form: Form) => matchers[form].find(method, path)?.route.name ?? unroutedHandler;
    const functions = { many: nameOf('many'), few: nameOf('few') };
    const begun = { method, path, functions, start: performance.now(), end: Number.POSITIVE_INFINITY };
    this.#pages.set(this.#path, [...(this.#pages.get(this.#path) ?? []), begun]);
    this.#underWay.set(request, begun);
  }

  #end(request: HTTPRequest): void {
    const begun = this.#underWay.get(request);
    if (begun !== undefined) begun.end = performance.now();
  }
}

const namesOf = (requests: readonly PageRequest[], form: Form) =>
  new Set(requests.map(({ functions }) => functions[form]));

/**
 * The time that a page waits for functions that have slept, in milliseconds: each starts with the first request that it
 * gets, those at the same time side by side, and what was asked after an answer waits for that answer.
 */
function coldWait(requests: readonly PageRequest[], form: Form, cold: ColdTimes): number {
  const awake = new Map<string, number>();
  const ends = new Map<PageRequest, number>();
  for (const request of requests.toSorted((a, b) => a.start - b.start)) {
    const name = request.functions[form];
    const answered = requests.filter(({ end }) => end <= request.start);
    const start = Math.max(0, ...answered.map((each) => ends.get(each) ?? 0));
    const from = awake.get(name) ?? start + (cold.get(name) ?? 0);
    awake.set(name, from);
    ends.set(request, Math.max(start, from));
  }
  return Math.max(0, ...ends.values());
}
