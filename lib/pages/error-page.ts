import type { ShownError } from '../errors.ts';
import type { HttpReply } from '../idempotency/receipt-items.ts';
import type { ConsoleChoice } from './console-choice.ts';
import { type Html, html } from './html.ts';
import { isForBrowser, type Page, pageReply } from './page.ts';
import { plainPage } from './plain-page.ts';

/** Returns an error as a page for people in a browser; undefined for programs, which get JSON. */
function buildErrorPage(heading: string, error: ShownError, more: Html = html``): HttpReply | undefined {
  const { status, message, details, requestId, accept } = error;
  if (!isForBrowser(accept)) return undefined;
  // Most errors have only one detail, with the same message.
  const further = details.filter((detail) => detail.message !== message);
  const page = plainPage({
    heading,
    body: html`<p>${message}</p>${further.length === 0 ? '' : html`\n<ul>\n${further.map((detail) => html`<li>${detail.message}</li>`)}\n</ul>`}
${more}`,
    footer: html`<a href="/">All flags</a> · <a href="/docs">API reference</a> · Request <code>${requestId}</code>`,
  });
  return pageReply(status, page);
}

/** Returns the page of a failed single sign-on; undefined for programs. */
export function signOnErrorPage(error: ShownError): HttpReply | undefined {
  const more = html`<p>The log of the server has the reason, under the id of this request.</p>
<p><a class="button" href="/login">Sign in again</a></p>`;
  return buildErrorPage('You could not be signed in', error, more);
}

/** Advice for people who follow a link of the console to a server without one, by the console that was chosen. */
const withoutConsole: Readonly<Record<ConsoleChoice, Html>> = {
  flagstaff: html`<p>The console has not been built. To build it:</p>
<ul>
<li><code>npm ci</code> installs esbuild, with which the server builds the console by itself; then load this page again;</li>
<li>where development dependencies are left out, run <code>npm run bundle:console</code> elsewhere, and copy the folder <code>.console/flagstaff</code>.</li>
</ul>`,
  unleash: html`<p>This server is set to serve Unleash’s own admin UI (<code>CONSOLE=unleash</code>), which has not been downloaded. <code>npm run unleash-console</code> downloads it; then restart the server.</p>`,
  off: html`<p>This server has no console. To add it:</p>
<ul>
<li>if it runs with <code>npm start</code>: restart it with <code>CONSOLE=flagstaff</code>;</li>
<li>on AWS: deploy with <code>-c console=flagstaff</code>.</li>
</ul>`,
};

/**
 * Returns the page for an unknown path or method; undefined for programs, and below the paths of the APIs.
 * @param missing the console that was chosen, if this service does not have it.
 */
export function notFoundPage(error: ShownError, missing?: ConsoleChoice): HttpReply | undefined {
  if (/^\/+(api|ofrep|edge)(\/|$)/i.test(error.path)) return undefined;
  if (error.status !== 404) return buildErrorPage('This does not work', error);
  const advice =
    missing &&
    html`${withoutConsole[missing]}
<p>The API works without it; see the <a href="/docs">API reference</a>.</p>`;
  return buildErrorPage('There is no such page', error, advice);
}

/** Returns the page that replaces the form of Unleash's admin UI for a reset link, if no mails can be sent. */
export function noMailPage(): Page {
  return plainPage({
    heading: 'This server sends no mail',
    body: html`<p>It cannot send you a link to choose a new password, since no sender address is configured.</p>
<p>Ask an administrator, who can create a link under <em>Admin settings, Users, Reset password</em>, and give it to you.
If no administrator can sign in, <code>npm run password</code> on the server sets a new password.</p>`,
    footer: html`<a href="/login">Sign in</a>`,
  });
}
