import { type Page, page } from './page.ts';
import { referenceUrl } from './reference-files.ts';

/** Behind the white name of each method, and dark enough for it. */
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
noscript p { margin: 3rem auto; max-width: 40rem; font: 1rem/1.6 system-ui, sans-serif; }
`;

// A link in a button is out of reach of a screen reader, as is a field without a label, and the one server need not be
// chosen. No validator, since that would send the document elsewhere; a token is forgotten with the page.
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
 * Returns the API reference: every operation of the OpenAPI document, to read about and to try. All of it is served
 * here.
 */
export function referencePage(): Page {
  return page({
    title: 'Flagstaff: API reference',
    head: `\n<link rel="stylesheet" href="${referenceUrl('swagger-ui.css')}">\n<script src="${referenceUrl('swagger-ui-bundle.js')}" defer></script>`,
    style,
    body: `<main id="reference">
<noscript><p>The API reference needs JavaScript. The <a href="/docs/openapi.json">OpenAPI document</a> says the same.</p></noscript>
</main>`,
    script,
    sources: { scripts: "'self'", styles: "'self'", connections: "'self'" },
  });
}
