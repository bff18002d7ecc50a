import { build } from 'esbuild';
import { type CommandLine, runCommand, UsageError } from './command.ts';

const help = `Bundles what "npm start" runs into a folder, for a relay: "node FOLDER/start.mjs" needs Node 24 and no
other file.

  npm run bundle:relay -- FOLDER     (-h, --help: this text)

infra/README.md describes the relay, and infra/Containerfile makes an image of it.`;

/** Bundled packages in CommonJS call it, which a module does not have; our own modules import the other name. */
const requireForPackages =
  "import { createRequire as createRequireForPackages } from 'node:module'; const require = createRequireForPackages(import.meta.url);";

async function bundleRelay({ positionals }: CommandLine<Record<string, never>>): Promise<void> {
  const [outdir] = positionals;
  if (outdir === undefined || positionals.length > 1) throw new UsageError('Exactly one folder is required.');
  await build({
    entryPoints: ['infra/local/start.ts'],
    outdir,
    bundle: true,
    splitting: true,
    minifySyntax: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    banner: { js: requireForPackages },
    logLevel: 'warning',
  });
  console.log(`With Node 24, "RELAY=true node ${outdir}/start.mjs" runs the relay.`);
}

await runCommand({ name: 'bundle:relay', help, takesArguments: true, run: bundleRelay });
