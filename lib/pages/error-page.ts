import type { ShownError } from '../errors.ts';
import type { HttpReply } from '../idempotency/receipt-items.ts';
import { type Html, html } from './html.ts';
import { isForBrowser, type Page, pageReply } from './page.ts';
import { plainPage } from './plain-page.ts';

/** Makes the page of an error for a person at a browser, who would read its JSON otherwise; undefined for programs. */
function errorPage(heading: string, error: ShownError, more: Html = html``): HttpReply | undefined {
  const { status, message, details, requestId, accept } = error;
  if (!isForBrowser(accept)) return undefined;
  // Most errors say in their details what they say already.
  const further = details.filter((detail) => detail.message !== message);
  const page = plainPage({
    heading,
    body: html`<p>${message}</p>${further.length === 0 ? '' : html`\n<ul>\n${further.map((detail) => html`<li>${detail.message}</li>`)}\n</ul>`}
${more}`,
    footer: html`<a href="/">Start page</a> · Request <code>${requestId}</code>`,
  });
  return pageReply(status, page);
}

/** Returns the page of a single sign-on that failed; undefined for programs. */
export function signOnErrorPage(error: ShownError): HttpReply | undefined {
  const more = html`<p><a href="/login">Sign in again</a>. The log of the server has the reason, under the id of this request.</p>`;
  return errorPage('You could not be signed in', error, more);
}

/** Advice for people whom a link of the console leads to a server without it. */
const noConsole = html`<p>People work with flags in Unleash’s own admin UI, which this server does not have yet. To add it:</p>
<ul>
<li>where it runs with <code>npm start</code>: <code>npm run console</code>, then start it again;</li>
<li>on AWS: <code>npm run console</code>, then deploy with <code>-c console=true</code>.</li>
</ul>
<p>The API works without it; see the <a href="/docs">API reference</a>.</p>`;

/**
 * Returns the page for a browser at a path or with a method that there is not; undefined for programs, and below
 * the APIs.
 */
export function notFoundPage(error: ShownError, hasConsole: boolean): HttpReply | undefined {
  if (/^\/+(api|ofrep|edge)(\/|$)/i.test(error.path)) return undefined;
  if (error.status !== 404) return errorPage('This does not work', error);
  return errorPage('There is no such page', error, hasConsole ? undefined : noConsole);
}

/** Returns the page in the place of the console's form that asks for a reset link by mail, where no mail is sent. */
export function noMailPage(): Page {
  return plainPage({
    heading: 'This server sends no mail',
    body: html`<p>It cannot send you a link to choose another password, since no sender is configured.</p>
<p>Ask an administrator: they make a link under <em>Admin settings, Users, Reset password</em>, and hand it to you.
If no administrator can sign in, <code>npm run password</code> on the server makes a new password.</p>`,
    footer: html`<a href="/login">Sign in</a>`,
  });
}
