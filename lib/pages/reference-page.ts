import { type Page, page } from './page.ts';
import { referenceUrl } from './reference-files.ts';

const style = `
body { margin: 0; }
.swagger-ui .topbar { display: none; }
noscript p { margin: 3rem auto; max-width: 40rem; font: 1rem/1.6 system-ui, sans-serif; }
`;

// No validator, since that would send the document elsewhere; a token is forgotten with the page.
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
});
`;

/** The API reference: every operation of the OpenAPI document, to read about and to try. All of it is served here. */
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
