import { readdirSync } from 'node:fs';
import { type CommandLine, runCommand, UsageError } from '../commands/command.ts';
import { setCommit } from '../commit.ts';
import { Problem } from '../problem.ts';
import { bundleProgram } from './bundle-program.ts';

const help = `Bundles the server, the commands and the console into a folder that needs nothing but Node 24.15 or newer.

  npm run bundle -- FOLDER     (-h, --help: this text)

  node FOLDER/flagstaff.mjs start      runs it: "npm start" and the commands of package.json are commands of this program
  npm pack ./FOLDER                    packs it; "npx --yes ./flagstaff-VERSION.tgz start" runs the package

FOLDER must be missing or empty. infra/hosting/README.md says how to run it as a service, and infra/Containerfile builds an image of it.`;

async function bundle({ positionals }: CommandLine<Record<string, never>>): Promise<void> {
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) throw new UsageError('Exactly one folder is required.');
  if (!isFree(folder)) throw new Problem(`${folder} is not empty. Remove it, or name another folder.`);
  await setCommit();
  await bundleProgram(folder, process.env.FLAGSTAFF_COMMIT ?? '');
  console.log(`With Node 24, "node ${folder}/flagstaff.mjs start" runs the server.`);
}

/** Tells whether a folder is empty or missing. */
function isFree(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}

await runCommand({ name: 'bundle', help, takesArguments: true, run: bundle });
