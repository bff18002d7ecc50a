import { type Page, page } from './page.ts';
import { style } from './start-page.ts';

/** Paths of the console that users are sent to: to sign in, and by links to choose a password or to join. */
const paths = ['/login', '/new-user', '/reset-password'];

/**
 * Returns the page for a browser at the paths of a console that is not installed; undefined for other paths, and for
 * scripts.
 */
export function noConsolePage(path: string, accept = ''): Page | undefined {
  if (!paths.includes(path) || !/text\/html/i.test(accept)) return undefined;
  return page({
    title: 'No console – Flagstaff',
    style,
    body: `<main>
<h1>There is no console here yet</h1>
<p>People sign in with Unleash’s own admin UI, which this server does not have. To add it:</p>
<ul>
<li>where it runs with <code>npm start</code>: <code>npm run console</code>, then start it again;</li>
<li>on AWS: <code>npm run console</code>, then deploy with <code>-c console=true</code>.</li>
</ul>
<p>The API works without it; see the <a href="/docs">API reference</a> and the <a href="/">start page</a>.</p>
</main>`,
  });
}
