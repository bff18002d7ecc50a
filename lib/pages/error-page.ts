import type { ShownError } from '../errors.ts';
import type { HttpReply } from '../idempotency/record-items.ts';
import { type Html, html } from './html.ts';
import { isForBrowser, pageReply } from './page.ts';
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

/**
 * Returns the page for an unknown path or method; undefined for programs, and below the paths of the APIs.
 * @param advice what people can do about it.
 */
export function notFoundPage(error: ShownError, advice?: Html): HttpReply | undefined {
  if (/^\/+(api|ofrep|edge|scim)(\/|$)/i.test(error.path)) return undefined;
  if (error.status !== 404) return buildErrorPage('This does not work', error);
  return buildErrorPage('There is no such page', error, advice);
}
