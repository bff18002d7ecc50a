import { type Html, html } from './html.ts';
import { type Page, page } from './page.ts';

/** Colours of the console (lib/console/parts/tokens.css), for light and dark. A test compares them. */
export const colours = `
--bg: light-dark(#f7f7f5, #121211);
--surface: light-dark(#ffffff, #1a1a18);
--line: light-dark(#e6e6e1, #2d2d2a);
--ink: light-dark(#1b1b18, #f0f0ec);
--ink-2: light-dark(#55554e, #b5b5ad);
--ink-3: light-dark(#66665f, #9b9b93);
--accent: light-dark(#b43b0a, #ff9a63);
--solid: light-dark(#1f1f1b, #f0f0ec);
--on-solid: light-dark(#ffffff, #171715);
`;

/** The style of the logo. */
export const logoStyle = `
.staff { fill: var(--ink-3); }
.cloth { fill: #d6470f; }
`;

/** The frame of the console, as far as a page without scripts can have it. */
const style = `
:root { color-scheme: light dark; ${colours} background: var(--bg); color: var(--ink); }
body { max-width: 34rem; margin: 15vh auto 0; padding: 0 1rem 3rem; font: 0.875rem/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
header { display: flex; align-items: center; gap: 0.5rem; margin: 0 0 1rem 0.25rem; font-weight: 600; }
header a { color: inherit; text-decoration: none; }
main { padding: 1.5rem 2rem; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
h1 { margin: 0 0 0.75rem; font-size: 1.25rem; line-height: 1.25; letter-spacing: -0.015em; }
p, ul { margin: 0.5rem 0; }
p, li { color: var(--ink-2); overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 3px; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
a.button { display: inline-block; margin-top: 0.5rem; padding: 0.5rem 0.875rem; border-radius: 8px; background: var(--solid); color: var(--on-solid); font-weight: 500; text-decoration: none; }
code { font-family: ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; font-size: 0.93em; }
footer { margin: 1rem 0.25rem 0; color: var(--ink-3); font-size: 0.8125rem; overflow-wrap: anywhere; }
${logoStyle}`;

/** The logo of the console. */
export const logo = html`<svg width="18" height="18" viewBox="0 0 16 16" aria-hidden="true"><path class="staff" d="M3 1h1.5v14H3z"/><path class="cloth" d="M4.5 2H14l-3 3.5L14 9H4.5z"/></svg>`;

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
    body: html`<header>${logo}<a href="/">Flagstaff</a></header>
<main>
<h1>${heading}</h1>
${body}
</main>${footer === undefined ? '' : html`\n<footer>${footer}</footer>`}`.text,
  });
}
