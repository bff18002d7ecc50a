import { fetchConsole } from '../console/fetch-console.ts';
import { consoleRelease, consoles, findConsole } from '../console/release.ts';
import { runCommand } from './command.ts';

const [{ name, version }, ...fonts] = consoleRelease;

const help = `Fetches the console: Unleash's own admin UI, release ${version}, made by Unleash and its contributors under the Apache License 2.0,
and the web fonts that it uses, under the SIL Open Font License 1.1. Flagstaff is not affiliated with Unleash. It replaces the title,
the icon, the logo and the links at the foot, since the licence grants no trademark, and says so in the changed files.

  npm run unleash-console            fetches the console once; "CONSOLE=unleash npm start" then serves it
  npx cdk deploy -c console=unleash  deploys it with the API in the place of our own console

It comes from the npm registry that is configured for npm, in the packages ${[`${name}@${version}`, ...fonts.map((font) => `${font.name}@${font.version}`)].join(', ')}.
Their integrity is pinned. The files and licences go into .console/, which Git ignores. To remove the console, delete that folder.`;

await runCommand({
  name: 'unleash-console',
  help,
  async run() {
    const existing = findConsole();
    const directory = existing ?? (await fetchConsole(consoleRelease, consoles));
    console.log(
      `The console ${existing === undefined ? 'was fetched' : 'had already been fetched'}: Unleash's admin UI ${version} (Apache-2.0), in ${directory}. "CONSOLE=unleash npm start" serves it.`,
    );
  },
});
