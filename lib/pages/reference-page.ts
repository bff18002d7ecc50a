import { type Page, page } from './page.ts';
import { referenceUrl } from './reference-files.ts';

/** The background colours of methods, dark enough for their white names. */
const methods = { get: '#1d5fa8', post: '#1a7548', put: '#8f5400', patch: '#0f6b62', delete: '#c21d1d' };

const methodStyles = Object.entries(methods)
  .map(
    ([method, colour]) => `.swagger-ui .opblock.opblock-${method} .opblock-summary-method { background: ${colour}; }`,
  )
  .join('\n');

const style = `
body { margin: 0; background: #fff; }
.swagger-ui .topbar { display: none; }
.swagger-ui .info .title small { background: #57606a; }
.swagger-ui .info .title small.version-stamp { background: #3f6212; }
.swagger-ui .info .url, .swagger-ui .info a { color: #1d4ed8; }
.swagger-ui .btn.authorize { color: #1a6e47; border-color: #1a6e47; }
.swagger-ui .btn.authorize svg { fill: #1a6e47; }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: #595959; }
.swagger-ui .parameter__in, .swagger-ui .parameter__deprecated, .swagger-ui .prop-format { color: #595959; }
.swagger-ui .btn.cancel { color: #b91c1c; border-color: #b91c1c; }
.swagger-ui .btn { transition: none; }
.swagger-ui .download-contents { background: #57606a; }
.swagger-ui .btn.execute { background: #1d4ed8; border-color: #1d4ed8; }
${methodStyles}
.swagger-ui .highlight-code > .microlight { max-height: none; }
noscript p { margin: 3rem auto; max-width: 40rem; font: 1rem/1.6 system-ui, sans-serif; }
`;

// Screen readers cannot reach a link in a button, or a field without a label, and the only server need not be chosen. There is no
// validator, since it would send the document to another site. A token is forgotten when the page is closed.
const script = `
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
    body: `<main id="reference">
<noscript><p>The API reference needs JavaScript. The <a href="/docs/openapi.json">OpenAPI document</a> has the same content.</p></noscript>
</main>`,
    script,
    sources: { scripts: "'self'", styles: "'self'", connections: "'self'" },
  });
}
