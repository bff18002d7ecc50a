import { html } from './html.ts';
import type { Page } from './page.ts';
import { plainPage } from './plain-page.ts';

const consoleLink = html`
<li><a href="/login">Console</a>: create and switch flags, and manage everything else, in a browser. It is Unleash’s own admin UI, under the <a href="/LICENSE">Apache License 2.0</a>.</li>`;

interface About {
  readonly build: string;
  /** True if the console is served here. */
  readonly hasConsole: boolean;
}

/** Returns the page at the root of the service: its purpose, with links to more. */
export function startPage({ build, hasConsole }: About): Page {
  return plainPage({
    heading: 'Flagstaff',
    body: html`<p>A feature-flag service, compatible with Unleash: its admin API, what its SDKs ask for, and OpenFeature’s OFREP.</p>
<ul>${hasConsole ? consoleLink : ''}
<li><a href="/docs">API reference</a>: read about every operation, and try it.</li>
<li><a href="/docs/openapi.json">OpenAPI document</a>: the same, for tools.</li>
<li><a href="/health">Health check</a>: whether the service answers.</li>
</ul>
<p>Operations below <code>/api</code> need a token in the <code>authorization</code> header.</p>`,
    footer: html`Version ${build}`,
  });
}
