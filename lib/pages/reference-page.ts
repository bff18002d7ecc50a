import { html } from './html.ts';
import { type Page, page } from './page.ts';
import { colours, logo, logoStyle } from './plain-page.ts';
import { referenceUrl } from './reference-files.ts';

/** The background colours of methods, dark enough for their white names. */
const methods = { get: '#1d5fa8', post: '#1a7548', put: '#8f5400', patch: '#0f6b62', delete: '#c21d1d' };

const methodStyles = Object.entries(methods)
  .map(
    ([method, colour]) => `.swagger-ui .opblock.opblock-${method} .opblock-summary-method { background: ${colour}; }`,
  )
  .join('\n');

/** The style of our own part, and colours of Swagger UI with more contrast. Its dark colours need fewer. */
const style = `
:root { color-scheme: light dark; ${colours} background: var(--bg); }
html.dark-mode, html.dark-mode .swagger-ui { background: var(--bg); }
body { margin: 0; color: var(--ink); font: 0.875rem/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
header, .start { max-width: 1420px; margin: 0 auto; padding: 0 20px; box-sizing: border-box; }
header { display: flex; align-items: center; gap: 0.5rem; padding-top: 1rem; font-weight: 600; }
header a { color: inherit; text-decoration: none; }
.start section { margin: 1rem 0 0; padding: 1.25rem 1.5rem; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
.start h2 { margin: 0 0 0.5rem; font-size: 1.25rem; letter-spacing: -0.015em; }
.start p { margin: 0.5rem 0; max-width: 60rem; }
.start a { color: var(--accent); text-underline-offset: 3px; }
.start table { border-collapse: collapse; margin: 0.75rem 0; }
.start td { padding: 0.375rem 1.5rem 0.375rem 0; border-top: 1px solid var(--line); vertical-align: top; }
.start pre { margin: 0.75rem 0; padding: 0.75rem 1rem; border-radius: 8px; background: var(--bg); overflow-x: auto; }
.start code { font-family: ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; font-size: 0.93em; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
${logoStyle}
.swagger-ui .topbar { display: none; }
.swagger-ui .btn { transition: none; }
${methodStyles}
.swagger-ui .highlight-code > .microlight { max-height: none; }
.swagger-ui .curl.microlight, .swagger-ui .curl.microlight * { max-height: none; white-space: pre-wrap !important; overflow-wrap: anywhere; }
html:not(.dark-mode) {
  .swagger-ui .info .title small { background: #57606a; }
  .swagger-ui .info .title small.version-stamp { background: #3f6212; }
  .swagger-ui .info .url, .swagger-ui .info a { color: #1d4ed8; }
  .swagger-ui .btn.authorize { color: #1a6e47; border-color: #1a6e47; }
  .swagger-ui .btn.authorize svg { fill: #1a6e47; }
  .swagger-ui .json-schema-2020-12-expand-deep-button { color: #595959; }
  .swagger-ui .parameter__in, .swagger-ui .parameter__deprecated, .swagger-ui .prop-format { color: #595959; }
  .swagger-ui .btn.cancel { color: #b91c1c; border-color: #b91c1c; }
  .swagger-ui .download-contents { background: #57606a; }
  .swagger-ui .btn.execute { background: #1d4ed8; border-color: #1d4ed8; }
  .swagger-ui .markdown code, .swagger-ui .renderedMarkdown code { color: #7a0dd6; }
  .swagger-ui .response-control-media-type__accept-message { color: #006b00; }
}
html.dark-mode {
  .swagger-ui .opblock .try-out .btn.try-out__btn.cancel { color: #ff9d95; border-color: #ff9d95; }
  .swagger-ui .header-col { color: #e4e6e6; }
}
`;

/** The way to a first answer, before the hundreds of operations. */
const start = html`<header>${logo}<a href="/">Flagstaff</a></header>
<div class="start">
<section aria-labelledby="authenticate">
<h2 id="authenticate">How to authenticate</h2>
<p>Send a token in the header <code>Authorization</code>. It decides what a caller may do.</p>
<pre tabindex="0"><code>curl -H "Authorization: $TOKEN" "$URL/api/admin/projects"</code></pre>
<table>
<tr><td><code>/api/admin</code></td><td>a personal token, the token of a service account, or an admin token</td></tr>
<tr><td><code>/api/client</code></td><td>a client token, for SDKs on servers: it is a secret</td></tr>
<tr><td><code>/api/frontend</code></td><td>a frontend token, for SDKs in pages and apps: it is public</td></tr>
<tr><td><code>/ofrep</code></td><td>a client or frontend token, for OpenFeature</td></tr>
<tr><td><code>/scim</code></td><td>the SCIM token of a directory</td></tr>
</table>
<p>Tokens are made under <a href="/tokens">Tokens</a> in the console, or with <code>npm run token</code>. To try operations on this page, sign in to <a href="/">the console</a> before, or press <em>Authorize</em> below and enter a token.</p>
</section>
</div>`.text;

// Screen readers cannot reach a link in a button, or a field without a label, and the only server need not be chosen. There is no
// validator, since it would send the document to another site. A token is forgotten when the page is closed.
const script = `
const dark = matchMedia('(prefers-color-scheme: dark)');
const followSystem = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
followSystem();
dark.addEventListener('change', followSystem);
SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
  plugins: [({ React }) => ({
    components: {
      DeepLink: ({ text }) => React.createElement('span', null, text),
      ServersContainer: () => null,
    },
    wrapComponents: {
      TextArea: (Original) => (props) => React.createElement(Original, { 'aria-label': 'Body of the request', ...props }),
    },
  })],
});
`;

/**
 * Returns the API reference: every operation of the OpenAPI document, with a form to try it. It loads nothing from other sites.
 */
export function referencePage(): Page {
  return page({
    title: 'Flagstaff: API reference',
    head: `\n<link rel="stylesheet" href="${referenceUrl('swagger-ui.css')}">\n<script src="${referenceUrl('swagger-ui-bundle.js')}" defer></script>`,
    style,
    body: `<main>
${start}
<div id="reference">
<noscript><p class="start">The operations need JavaScript. The <a href="/docs/openapi.json">OpenAPI document</a> has the same content.</p></noscript>
</div>
</main>`,
    script,
    sources: { scripts: "'self'", styles: "'self'", connections: "'self'" },
  });
}
