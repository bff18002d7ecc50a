import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type NestedStack, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import cdkSettings from '../../cdk.json' with { type: 'json' };
import { type DeployedEndpoint, deployedEndpoints } from '../../infra/deployed-endpoints.ts';
import { notFound, prepareStore } from '../../infra/entry-points.ts';
import { FlagstaffStack } from '../../infra/stack.ts';

export interface Synthesized {
  readonly app: App;
  readonly main: Template;
  /** The templates of nested stacks by their ids. */
  readonly nested: ReadonlyMap<string, Template>;
}

/** Synthesizes the stack as `cdk deploy` would with `-c name=value` for each of the context, in a fraction of a second. */
export function synthesize(
  context: Readonly<Record<string, unknown>> = {},
  endpoints: readonly DeployedEndpoint[] = deployedEndpoints(),
): Synthesized {
  const bundles = mkdtempSync(join(tmpdir(), 'flagstaff-bundles-'));
  try {
    // The stack does not look into the bundles, so empty directories will do.
    const functions = [...endpoints.map(({ operationId }) => operationId), notFound, prepareStore];
    for (const name of functions) mkdirSync(join(bundles, name));
    const app = new App({
      context: { ...cdkSettings.context, 'aws:cdk:disable-asset-staging': true, ...context },
      // The CDK's own look at a template takes seconds; `npm run synth` has it.
      builtinCloudFormationValidation: false,
    });
    const stack = new FlagstaffStack(app, 'Flagstaff', { bundles, endpoints });
    const children = stack.node.children.filter((child): child is NestedStack => Stack.isStack(child));
    const nested = new Map(children.map((child) => [child.node.id, Template.fromStack(child)]));
    return { app, main: Template.fromStack(stack), nested };
  } finally {
    rmSync(bundles, { recursive: true });
  }
}
