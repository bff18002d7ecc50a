import { type Html, html } from './html.ts';
import { type Page, page } from './page.ts';

/** The style of text pages. */
export const style = `
:root { color-scheme: light dark; background: light-dark(#fff, #16181d); color: light-dark(#1b1e24, #e8eaed); }
a { color: light-dark(#1d4ed8, #93b4ff); }
body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; font: 1.0625rem/1.6 system-ui, sans-serif; }
h1 { line-height: 1.2; }
p, li { overflow-wrap: anywhere; }
code { font-size: 0.95em; }
footer { margin-top: 3rem; }
`;

interface Content {
  /** The heading, which is also the title together with the name of the service. */
  readonly heading: string;
  readonly body: Html;
  readonly footer?: Html;
}

/** Builds a text page. */
export function plainPage({ heading, body, footer }: Content): Page {
  return page({
    title: html`${heading === 'Flagstaff' ? '' : `${heading} – `}Flagstaff`.text,
    style,
    body: html`<main>
<h1>${heading}</h1>
${body}
</main>${footer === undefined ? '' : html`\n<footer>${footer}</footer>`}`.text,
  });
}
