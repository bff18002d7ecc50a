import type { HTTPRequest, Page } from 'puppeteer-core';
import { deployedEndpoints, functionOf } from '../../../infra/deployed-endpoints.ts';
import { notFound } from '../../../infra/entry-points.ts';
import { matcherOf } from '../../../lib/http/route-matcher.ts';
import type { Promises } from '../sdks/promises.ts';

/** Most functions that a page may wake if functions are few. */
const wokenMax = 4;
/** Least number of pages that have to be looked at. */
const pagesMin = 10;

const forms = ['many', 'few'] as const;
type Form = (typeof forms)[number];

/** The routes to the endpoints, each with the name of the function that it leads to. */
const matcherFor = (functions: Form) =>
  matcherOf(deployedEndpoints().map((each) => ({ ...each.declaration, name: functionOf(each, functions) })));
const matchers = { many: matcherFor('many'), few: matcherFor('few') };

/** The functions that pages of the console would wake where each has slept, of those that are deployed either way. */
export class Woken {
  readonly #url: string;
  readonly #pages = new Map<string, Readonly<Record<Form, Set<string>>>>();
  #path = '';

  constructor(page: Page, url: string) {
    this.#url = url;
    page.on('request', (request) => this.#count(page, request));
  }

  /** Forgets all pages: those before were not only looked at. */
  begin(): void {
    this.#pages.clear();
  }

  /** Prints how many functions each page has woken, and holds that they are few where that is chosen. */
  report(promises: Promises): void {
    for (const [path, woken] of this.#pages) {
      const counts = forms.map((functions) => `${woken[functions].size} of ${functions}`);
      console.log(`${path} wakes ${counts.join(', ')}: ${[...woken.few].toSorted().join(', ')}`);
    }
    promises.hold('ten pages or more were counted', this.#pages.size >= pagesMin, this.#pages.size);
    const beyond = [...this.#pages].filter(([, { few }]) => few.size > wokenMax).map(([path]) => path);
    promises.same('no page wakes more than four functions where they are few', beyond, []);
  }

  #count(page: Page, request: HTTPRequest): void {
    const { origin, pathname } = new URL(request.url());
    if (origin !== this.#url) return;
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) this.#path = pathname;
    const woken = this.#pages.get(this.#path) ?? { many: new Set(), few: new Set() };
    this.#pages.set(this.#path, woken);
    for (const functions of forms) {
      woken[functions].add(matchers[functions].find(request.method(), pathname)?.route.name ?? notFound);
    }
  }
}
