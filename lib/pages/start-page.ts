import { html } from './html.ts';
import type { Page } from './page.ts';
import { plainPage } from './plain-page.ts';

const consoleLink = html`
<li><a href="/login">Console</a>: create flags, turn them on and off, and manage everything else in a browser. It is Unleash’s own admin UI, under the <a href="/LICENSE">Apache License 2.0</a>.</li>`;

interface About {
  readonly build: string;
  /** True if this server has the console. */
  readonly hasConsole: boolean;
}

/** Returns the page at the root of the service, with its purpose and links. */
export function startPage({ build, hasConsole }: About): Page {
  return plainPage({
    heading: 'Flagstaff',
    body: html`<p>A feature-flag service that is compatible with Unleash: it has Unleash’s admin API, the APIs of its SDKs, and OpenFeature’s OFREP.</p>
<ul>${hasConsole ? consoleLink : ''}
<li><a href="/docs">API reference</a>: every operation, with a form to try it.</li>
<li><a href="/docs/openapi.json">OpenAPI document</a>: the same, for tools.</li>
<li><a href="/health">Health check</a>: shows whether the service answers.</li>
</ul>
<p>Operations below <code>/api</code> require a token in the <code>Authorization</code> header.</p>`,
    footer: html`Version ${build}`,
  });
}
