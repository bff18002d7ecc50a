import { html } from './html.ts';
import { type Page, page } from './page.ts';

/** The style of the pages that are plain text. */
export const style = `
:root { color-scheme: light dark; background: light-dark(#fff, #16181d); color: light-dark(#1b1e24, #e8eaed); }
a { color: light-dark(#1d4ed8, #93b4ff); }
body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; font: 1.0625rem/1.6 system-ui, sans-serif; }
h1 { line-height: 1.2; }
code { font-size: 0.95em; }
footer { margin-top: 3rem; }
`;

const consoleLink =
  '\n<li><a href="/login">Console</a>: create and switch flags, and manage everything else, in a browser. It is Unleash’s own admin UI, under the <a href="/LICENSE">Apache License 2.0</a>.</li>';

interface About {
  readonly build: string;
  /** True if the console is served here. */
  readonly hasConsole: boolean;
}

/** Returns the page at the root of the service: its purpose, with links to more. */
export function startPage({ build, hasConsole }: About): Page {
  return page({
    title: 'Flagstaff',
    style,
    body: `<main>
<h1>Flagstaff</h1>
<p>A feature-flag service, compatible with Unleash: its admin API, what its SDKs ask for, and OpenFeature’s OFREP.</p>
<ul>${hasConsole ? consoleLink : ''}
<li><a href="/docs">API reference</a>: read about every operation, and try it.</li>
<li><a href="/docs/openapi.json">OpenAPI document</a>: the same, for tools.</li>
<li><a href="/health">Health check</a>: whether the service answers.</li>
</ul>
<p>Operations below <code>/api</code> need a token in the <code>authorization</code> header.</p>
</main>
<footer>${html`Version ${build}`.text}</footer>`,
  });
}
