import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../lib/values/sha256.ts';
import { icon } from './console-files.ts';

/** The name in the place of "Unleash": the licence of the admin UI grants no right to its trademark. */
const name = 'Feature flags';

const drawing = (viewBox: string, child: string) =>
  `(0,B.jsx)(\`svg\`,{xmlns:\`http://www.w3.org/2000/svg\`,viewBox:\`${viewBox}\`,fill:\`currentColor\`,...e,"aria-label":\`${name}\`,children:${child}})`;
const wordmark = (viewBox: string, x: number, y: number, size: number) =>
  drawing(viewBox, `(0,B.jsx)(\`text\`,{x:${x},y:${y},fontSize:${size},fontWeight:700,children:\`${name}\`})`);
const flag = drawing('0 0 16 16', '(0,B.jsx)(`path`,{d:`M3 1h1.5v14H3zM4.5 2H14l-3 3.5L14 9H4.5z`})');

/** The components that draw the logo, by their names in the pinned release, and the neutral drawings. */
const logos: Readonly<Record<string, string>> = {
  ...{ qS: wordmark('0 0 653.4 251.24', 20, 150, 92), JS: wordmark('0 0 653.4 251.24', 20, 150, 92) },
  ...{ O4e: wordmark('0 0 150 58', 4, 36, 21), k4e: wordmark('0 0 150 58', 4, 36, 21) },
  ...{ LV: flag, A4e: flag, CSe: flag, gy: flag, _y: flag },
};

const drawn = 'e=>(0,B.jsxs)(`svg`,{';

/** The replacements in the first script. The release is pinned, so each text is there once; prove:unleash-console checks that. @internal */
export const brandReplacements: readonly { readonly from: string; readonly to: string }[] = [
  { from: ',GE=`Unleash`,', to: `,GE=\`${name}\`,` },
  ...Object.entries(logos).map(([component, svg]) => ({
    from: `,${component}=${drawn}`,
    to: `,${component}=e=>!0?${svg}:${drawn.slice('e=>'.length)}`,
  })),
  // The columns of links at the foot of each page. The line about the UI and its licence stays.
  {
    from: '(0,B.jsxs)(Ch,{container:!0,spacing:7,direction:`row`,children:[(0,B.jsx)(Ch,{children:(0,B.jsxs)(`section`,{title:`Unleash SDK`',
    to: '!0?(0,B.jsx)(`a`,{href:`/LICENSE`,children:`Licence`}):(0,B.jsxs)(Ch,{container:!0,spacing:7,direction:`row`,children:[(0,B.jsx)(Ch,{children:(0,B.jsxs)(`section`,{title:`Unleash SDK`',
  },
  // The picture of those who are no people.
  { from: '/logo-unleash.png`', to: '/icon.svg`' },
];

const label = '`Unleash logo`';

/** Files that show the logo. */
const pictures = /^(favicon|logo)[\w-]*\.(ico|png)$/;

/** The beginning of each changed file, as the licence asks for. */
const notice =
  "Changed by Flagstaff: the title, the icon, the logo and the links at the foot are not those of Unleash's makers.";

/** Identifies the changes, for the name of the folder. */
export const brandVersion = sha256(JSON.stringify([brandReplacements, notice])).slice(0, 8);

/**
 * Replaces the title, the icon, the logo and the footer of Unleash's admin UI in its files by neutral ones. Its licence stays as it is.
 * @param directory the folder of the unpacked UI.
 */
export function removeBrand(directory: string): void {
  const change = (path: string, edit: (text: string) => string) =>
    writeFileSync(join(directory, path), edit(readFileSync(join(directory, path), 'utf8')));
  for (const path of readdirSync(directory).filter((path) => pictures.test(path))) rmSync(join(directory, path));
  copyFileSync(icon, join(directory, 'icon.svg'));
  change('index.html', (html) =>
    html
      .replace('<head>', `<head>\n        <!-- ${notice} ${brandVersion} -->`)
      .replace('/favicon.ico"', '/icon.svg" type="image/svg+xml"')
      .replace('<title>Unleash</title>', `<title>${name}</title>`)
      .replace('name="description" content="unleash"', `name="description" content="${name}"`),
  );
  const scripts = readdirSync(join(directory, 'static')).filter((path) => /^index-.*\.js$/.test(path));
  for (const path of scripts) {
    change(`static/${path}`, (text) => {
      const replaced = brandReplacements.reduce((before, { from, to }) => before.replace(from, () => to), text);
      return `/* ${notice} */\n${replaced.replaceAll(label, `\`${name}\``)}`;
    });
  }
}
