import type { HttpReply } from '../idempotency/record-items.ts';
import { sha256 } from '../values/sha256.ts';

export const htmlType = 'text/html; charset=utf-8';

/**
 * Returns true if a request comes from a person in a browser, who accepts HTML. Scripts, probes and scrapers mostly accept anything, and
 * clients that also accept JSON must get errors as programs do.
 */
export function isForBrowser(accept = ''): boolean {
  return /text\/html/i.test(accept) && !/application\/json/i.test(accept);
}

/** Additional sources that a page may load from. */
interface Sources {
  readonly scripts?: string;
  readonly styles?: string;
  readonly images?: string;
  readonly connections?: string;
}

/** A complete HTML page, and the headers with the policy that lets it load nothing else. */
export interface Page {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Content {
  readonly title: string;
  /** Additional HTML for the head. */
  readonly head?: string;
  readonly style: string;
  readonly body: string;
  /** Runs after the page and its deferred scripts have loaded. */
  readonly script?: string;
  readonly sources?: Sources;
}

/** Builds a page with an inline style and script. The policy allows them by their hashes, so that no other inline code runs. */
export function page({ title, head = '', style, body, script, sources = {} }: Content): Page {
  const policy = {
    'default-src': "'none'",
    'style-src': [policySourceOf(style), sources.styles].join(' ').trim(),
    'script-src': [script && policySourceOf(script), sources.scripts].join(' ').trim() || "'none'",
    'img-src': ['data:', sources.images].join(' ').trim(),
    'connect-src': sources.connections ?? "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  };
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">${head}
<style>${style}</style>
</head>
<body>
${body}${script === undefined ? '' : `\n<script type="module">${script}</script>`}
</body>
</html>
`,
    headers: {
      'content-security-policy': Object.entries(policy)
        .map((directive) => directive.join(' '))
        .join('; '),
      'referrer-policy': 'no-referrer',
    },
  };
}

/** Returns the reply with a page that is not from an endpoint. */
export function pageReply(status: number, { html, headers }: Page): HttpReply {
  return { status, headers: { 'content-type': htmlType, ...headers }, text: html };
}

/** A flag on a pole. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M3 1h1.5v14H3z" fill="#555"/><path d="M4.5 2H14l-3 3.5L14 9H4.5z" fill="#c2410c"/></svg>';

/** Returns the source in a content security policy that allows a piece of inline code. */
export function policySourceOf(code: string): string {
  return `'sha256-${sha256(code, 'base64')}'`;
}
