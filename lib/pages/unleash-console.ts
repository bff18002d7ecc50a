import { sha256 } from '../values/sha256.ts';
import type { ConsoleKind } from './console.ts';
import { html } from './html.ts';
import { type Page, policySourceOf } from './page.ts';
import { plainPage } from './plain-page.ts';
import { unleashPatches } from './unleash-patches.ts';
import { unleashStyle } from './unleash-style.ts';

/**
 * Returns the content security policy of the page: it may run its own scripts and call this service. Its components write inline
 * styles.
 */
const buildPolicy = (importMap: string) =>
  [
    "default-src 'none'",
    `script-src 'self' ${policySourceOf(importMap)}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

function patchesOf(name: string) {
  const [, patches = []] = Object.entries(unleashPatches).find(([prefix]) => name.startsWith(prefix)) ?? [];
  return patches;
}

/**
 * Returns a part of the addresses of patched scripts, which browsers cache forever. Other patches need other addresses, and so do
 * scripts that were changed when they were fetched, which the page says.
 */
const patchVersionOf = (html: string) => sha256(JSON.stringify(unleashPatches) + html).slice(0, 8);

/**
 * Unleash's admin UI. Its page has placeholders for the settings of its server: it is at the root of its site, and asks the API which
 * features are on. Its fonts are served from this site, so that Google, whose site the page names for them, does not learn who opens
 * it. An import map redirects scripts to the patched ones.
 */
export const unleashConsole: ConsoleKind = {
  completePage(html, { names, hasMail }) {
    const patched = [...names].filter((name) => patchesOf(name).length > 0);
    const version = patchVersionOf(html);
    const addresses = patched.map((name) => [`/${name}`, `/${name}?v=${version}`] as const);
    const importMap = JSON.stringify({ imports: Object.fromEntries(addresses) });
    const filled = html
      .replaceAll(/<link\b[^>]*\bhref="https:\/\/fonts\.[^>]*>\s*/g, '')
      .replace('</head>', `<style>${unleashStyle(hasMail)}</style></head>`)
      .replaceAll('::uiFlags::', encodeURI('{}'))
      .replaceAll(/::(baseUriPath|cdnPrefix|faviconPrefix|unleashToken)::/g, '')
      .replace('<script', `<script type="importmap">${importMap}</script>\n<script`);
    const redirected = addresses.reduce(
      (before, [from, to]) => before.replaceAll(`src="${from}"`, `src="${to}"`),
      filled,
    );
    return { html: redirected, policy: buildPolicy(importMap) };
  },
  completeFile: (name, text) => patchesOf(name).reduce((before, { from, to }) => before.replace(from, () => to), text),
  // Its form would claim that a mail was sent.
  pageInstead: (name, { hasMail }) => (name === 'forgotten-password' && !hasMail ? noMailPage() : undefined),
};

/** Returns the page that replaces the form of Unleash's admin UI for a reset link, if no mails can be sent. */
function noMailPage(): Page {
  return plainPage({
    heading: 'This server sends no mail',
    body: html`<p>It cannot send you a link to choose a new password, since no sender address is configured.</p>
<p>Ask an administrator, who can create a link under <em>Admin settings, Users, Reset password</em>, and give it to you.
If no administrator can sign in, <code>npm run password</code> on the server sets a new password.</p>`,
    footer: html`<a href="/login">Sign in</a>`,
  });
}
