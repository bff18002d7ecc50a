import { html } from './html.ts';
import type { Page } from './page.ts';
import { plainPage } from './plain-page.ts';

/** Returns the page at the root of a service without a console. */
export function startPage(build: string): Page {
  return plainPage({
    heading: 'Flagstaff',
    body: html`<p>A feature-flag service that is compatible with Unleash. This server has no console; the <a href="/docs">API reference</a> shows every operation.</p>`,
    footer: html`Version ${build}`,
  });
}
