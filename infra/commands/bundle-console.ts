import { builtConsole, refreshConsole } from '../console/refresh-console.ts';
import { runCommand } from './command.ts';

const help = `Builds the console into ${builtConsole}, for a machine without development dependencies. Elsewhere "npm start" builds it
with the first request of a page, and "npx cdk deploy" for the stack.

  npm run bundle:console     (-h, --help: this text)`;

await runCommand({
  name: 'bundle:console',
  help,
  async run() {
    await refreshConsole();
    console.log(`The console is in ${builtConsole}. "npm start" serves it.`);
  },
});
