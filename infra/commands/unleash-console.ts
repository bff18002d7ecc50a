import { consoles } from '../console/console-files.ts';
import { fetchConsole } from '../console/fetch-console.ts';
import { consoleRelease, findConsole } from '../console/release.ts';
import { runCommand } from './command.ts';

const [{ version }] = consoleRelease;

const help = `Fetches the console: Unleash's own admin UI, release ${version}, made by Unleash and its contributors under the Apache License 2.0,
and the web fonts that it uses, under the SIL Open Font License 1.1. Flagstaff is not affiliated with Unleash. The licence
grants no trademarks, so the command replaces the title, the icon, the logo and the links at the foot. The changed files say so.

  npm run unleash-console

It fetches the console once. Then "CONSOLE=unleash npm start" serves it instead of our own console, and a deployment with
"-c console=unleash" includes it. It needs npm, and gets these packages from the registry that npm is configured for:

${consoleRelease.map((each) => `  ${each.name}@${each.version}`).join('\n')}

Their integrity is pinned. The files and licences go into ${consoles}. To remove the console, delete its folder there.`;

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
