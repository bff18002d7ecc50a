import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { bundle } from './bundle.ts';
import { addConsole } from './console/deploy-console.ts';
import { findConsole } from './console/release.ts';
import { entryPoints, notFound } from './entry-points.ts';
import { checkRules } from './nag.ts';
import { isConsoleChosen, stackNameOf } from './settings.ts';
import { FlagstaffStack } from './stack.ts';

// The CDK copies each bundle into its own output, so nothing is left to keep once that is written.
const bundles = mkdtempSync(join(tmpdir(), 'flagstaff-bundles-'));
try {
  await bundle(entryPoints(), bundles);
  const app = new App();
  if (isConsoleChosen(app)) addConsole(join(bundles, notFound), findConsole());
  checkRules(app);
  new FlagstaffStack(app, stackNameOf(app), { bundles });
  app.synth();
} finally {
  rmSync(bundles, { recursive: true });
}
