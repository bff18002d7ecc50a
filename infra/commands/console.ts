import { fetchConsole } from '../console/fetch-console.ts';
import { consoleRelease, consoles, findConsole } from '../console/release.ts';
import { runCommand } from './command.ts';

const [{ name, version }, ...fonts] = consoleRelease;

const help = `Fetches the console: Unleash's own admin UI of release ${version}, made by Unleash and its contributors, and licensed under
the Apache License 2.0, and the web fonts that it uses, which are licensed under the SIL Open Font License 1.1. Flagstaff is not
affiliated with Unleash, and serves these files as they are.

  npm run console                fetches it once; "npm start" serves it from then on
  npx cdk deploy -c console=true
                                 deploys it with the API

It comes from the registry that npm is set to, in the packages ${[`${name}@${version}`, ...fonts.map((each) => `${each.name}@${each.version}`)].join(', ')}, whose integrity
is pinned. Their files and licences go into .console/, which is in no commit; remove that folder to remove the console.`;

await runCommand({
  name: 'console',
  help,
  async run() {
    const found = findConsole();
    const directory = found ?? (await fetchConsole(consoleRelease, consoles));
    console.log(
      `The console is ${found === undefined ? 'there now' : 'there already'}: Unleash's admin UI ${version} (Apache-2.0), in ${directory}. "npm start" serves it.`,
    );
  },
});
