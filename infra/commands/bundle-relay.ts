import { bundlePrograms } from '../bundle-programs.ts';
import { setCommit } from '../commit.ts';
import { type CommandLine, runCommand, UsageError } from './command.ts';

const help = `Bundles the code of "npm start" into a folder, for a relay. "node FOLDER/start.mjs" runs it, and needs nothing but Node 24.

  npm run bundle:relay -- FOLDER     (-h, --help: this text)

infra/README.md describes the relay, and infra/Containerfile builds a container image of it.`;

async function bundleRelay({ positionals }: CommandLine<Record<string, never>>): Promise<void> {
  const [outdir] = positionals;
  if (outdir === undefined || positionals.length > 1) throw new UsageError('Exactly one folder is required.');
  await setCommit();
  const commit = JSON.stringify(process.env.FLAGSTAFF_COMMIT);
  bundlePrograms(['infra/local/start.ts'], outdir, `process.env.FLAGSTAFF_COMMIT ??= ${commit};`);
  console.log(`With Node 24, "RELAY=true node ${outdir}/start.mjs" runs the relay.`);
}

await runCommand({ name: 'bundle:relay', help, takesArguments: true, run: bundleRelay });
