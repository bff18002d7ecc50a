import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { bundle } from './bundle.ts';
import { runCommand } from './commands/command.ts';
import { noteCommit } from './commit.ts';
import { addConsole } from './console/deploy-console.ts';
import { findConsole } from './console/release.ts';
import { entryPoints, unroutedHandler } from './entry-points.ts';
import { settingsOf, stackNameOf } from './settings.ts';
import { FlagstaffStack } from './stack.ts';

const help = `Writes the templates of the stack; infra/README.md lists what can be chosen. The CDK runs it.

  npm run synth -- [-c NAME=VALUE]...     (-h, --help: this text)`;

async function synthesize(): Promise<void> {
  const app = new App();
  await noteCommit();
  const stackName = stackNameOf(app);
  // Bundling takes its time, so what cannot be deployed is refused before.
  const settings = settingsOf(app, stackName);
  // The CDK copies each bundle into its own output, so nothing is left to keep once that is written.
  const bundles = mkdtempSync(join(tmpdir(), 'flagstaff-bundles-'));
  try {
    await bundle(entryPoints(settings.functions), bundles);
    if (settings.console) addConsole(join(bundles, unroutedHandler), findConsole());
    // AWS's own rules; an exception that is acknowledged has its reason beside the resource that it is about.
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    new FlagstaffStack(app, stackName, { bundles });
    app.synth();
  } finally {
    rmSync(bundles, { recursive: true });
  }
}

await runCommand({ name: 'synth', help, run: synthesize });
