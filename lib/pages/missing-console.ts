import type { ConsoleChoice } from './console-choice.ts';
import { type Html, html } from './html.ts';

/** Advice for people who follow a link of the console to a server without one, by the console that was chosen. */
const withoutConsole: Readonly<Record<ConsoleChoice, Html>> = {
  flagstaff: html`<p>The console has not been built. To build it:</p>
<ul>
<li><code>npm ci</code> installs esbuild, with which the server builds the console by itself; then load this page again;</li>
<li>where development dependencies are left out, run a bundle instead: <code>npm run bundle</code> makes one elsewhere, with the console in it.</li>
</ul>`,
  unleash: html`<p>This server is set to serve Unleash’s own admin UI (<code>CONSOLE=unleash</code>), which has not been downloaded. <code>npm run unleash-console</code> downloads it; then restart the server.</p>`,
  off: html`<p>This server has no console. To add it:</p>
<ul>
<li>if it runs with <code>npm start</code>: restart it with <code>CONSOLE=flagstaff</code>;</li>
<li>on AWS: deploy with <code>-c console=flagstaff</code>.</li>
</ul>`,
};

/** Advises people who follow a link of the console to a service that does not have the chosen one. */
export function adviseOnMissingConsole(choice: ConsoleChoice): Html {
  return html`${withoutConsole[choice]}
<p>The API works without it; see the <a href="/docs">API reference</a>.</p>`;
}
