import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { bundle } from './bundle.ts';
import { runCommand } from './commands/command.ts';
import { setCommit } from './commit.ts';
import { addConsole } from './console/add-console.ts';
import { findConsole } from './console/release.ts';
import { listEntryPoints, unroutedHandler } from './entry-points.ts';
import { settingsOf, stackNameOf } from './settings.ts';
import { FlagstaffStack } from './stack.ts';

const help = `Writes the CloudFormation templates of the stack. The CDK runs this command. infra/README.md lists the settings for -c.

  npm run synth -- [-c NAME=VALUE]...     (-h, --help: this text)`;

async function synthesize(): Promise<void> {
  const app = new App();
  await setCommit();
  const stackName = stackNameOf(app);
  // Settings are checked before bundling, which takes longer.
  const settings = settingsOf(app, stackName);
  // The CDK copies each bundle into its own output, so this folder can be removed afterwards.
  const bundles = mkdtempSync(join(tmpdir(), 'flagstaff-bundles-'));
  try {
    await bundle(listEntryPoints(settings.functions), bundles);
    await addConsole(join(bundles, unroutedHandler), settings.console, findConsole());
    // AWS's own rules. Each acknowledged exception is next to its resource, with the reason.
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    new FlagstaffStack(app, stackName, { bundles });
    app.synth();
  } finally {
    rmSync(bundles, { recursive: true });
  }
}

await runCommand({ name: 'synth', help, run: synthesize });
