import type { ShownError } from '../errors.ts';
import type { HttpReply } from '../idempotency/receipt-items.ts';
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
    footer: html`<a href="/">Start page</a> · Request <code>${requestId}</code>`,
  });
  return pageReply(status, page);
}

/** Returns the page of a failed single sign-on; undefined for programs. */
export function signOnErrorPage(error: ShownError): HttpReply | undefined {
  const more = html`<p><a href="/login">Sign in again</a>. The log of the server has the reason, under the id of this request.</p>`;
  return buildErrorPage('You could not be signed in', error, more);
}

/** Advice for people who follow a link of the console to a server without one. */
const noConsole = html`<p>The console is Unleash’s own admin UI. This server does not have it yet. To add it:</p>
<ul>
<li>if it runs with <code>npm start</code>: <code>npm run unleash-console</code>, then restart the server;</li>
<li>on AWS: <code>npm run unleash-console</code>, then deploy with <code>-c console=true</code>.</li>
</ul>
<p>The API works without it; see the <a href="/docs">API reference</a>.</p>`;

/**
 * Returns the page for an unknown path or method; undefined for programs, and below the paths of the APIs.
 * the APIs.
 */
export function notFoundPage(error: ShownError, hasConsole: boolean): HttpReply | undefined {
  if (/^\/+(api|ofrep|edge)(\/|$)/i.test(error.path)) return undefined;
  if (error.status !== 404) return buildErrorPage('This does not work', error);
  return buildErrorPage('There is no such page', error, hasConsole ? undefined : noConsole);
}

/** Returns the page that replaces the console's form for a reset link, if no mails can be sent. */
export function noMailPage(): Page {
  return plainPage({
    heading: 'This server sends no mail',
    body: html`<p>It cannot send you a link to choose a new password, since no sender address is configured.</p>
<p>Ask an administrator, who can create a link under <em>Admin settings, Users, Reset password</em>, and give it to you.
If no administrator can sign in, <code>npm run password</code> on the server sets a new password.</p>`,
    footer: html`<a href="/login">Sign in</a>`,
  });
}
