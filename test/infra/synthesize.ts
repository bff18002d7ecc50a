import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, type CfnElement, type NestedStack, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import cdkSettings from '../../cdk.json' with { type: 'json' };
import { type DeployedEndpoint, functionOf, listEndpoints } from '../../infra/deployed-endpoints.ts';
import { clockFunction, prepareStoreFunction, sendFunction, unroutedHandler } from '../../infra/entry-points.ts';
import { stackNameOf } from '../../infra/settings.ts';
import { FlagstaffStack } from '../../infra/stack.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { addressedFolders, joinedFolders } from './deployed-routes.ts';
import { joinedTemplate } from './joined.ts';

export interface Synthesized {
  readonly app: App;
  readonly main: Template;
  /** The templates of nested stacks by their ids, which are the folders of their endpoints. */
  readonly nested: ReadonlyMap<string, Template>;
  /** All templates as one. */
  readonly whole: Template;
}

/** Setting that leaves out the place in the code of each resource, which takes a fifth of the time and is not read here. */
const withoutStackTraces = { 'aws:cdk:disable-creation-stack-traces': true };

const known = new Map<string, Synthesized>();

/** Lets go of all that was synthesized, which is tens of megabytes for the worker's next files to carry along. */
export const forgetSynthesized = () => known.clear();

/** The templates of a stack. */
function templatesOf(stack: FlagstaffStack): Omit<Synthesized, 'app'> {
  const children = stack.node.children.filter((child): child is NestedStack => Stack.isStack(child));
  const nested = new Map(children.map((child) => [child.node.id, Template.fromStack(child)]));
  const main = Template.fromStack(stack);
  const idOf = (child: NestedStack): string => stack.resolve((child.nestedStackResource as CfnElement).logicalId);
  const byResource = new Map(children.map((child) => [idOf(child), nested.get(child.node.id) as Template]));
  return { main, nested, whole: joinedTemplate(main, byResource) };
}

/** Synthesizes the stack as `cdk deploy` would with `-c name=value` for each of the context; the same only once. */
export function synthesize(context: Readonly<Record<string, unknown>> = {}): Synthesized {
  const key = JSON.stringify(context);
  const found = known.get(key) ?? synthesizeEndpoints(listEndpoints(), context);
  known.set(key, found);
  return found;
}

/** One that reads, one that writes, and one of each folder whose endpoints share an address. */
const fewEndpoints = (): DeployedEndpoint[] => {
  const all = listEndpoints();
  const ownFunctions = all.filter(({ folder }) => !joinedFolders.includes(folder));
  return [
    ownFunctions.find(({ declaration }) => declaration.method === 'GET' && declaration.rights !== 'none'),
    ownFunctions.find(({ declaration }) => declaration.method === 'POST'),
    ...addressedFolders.map((each) => all.find(({ folder }) => folder === each)),
  ].filter((each) => each !== undefined);
};

/**
 * As `synthesize`, with a few endpoints of each kind: all that is needed to see what a choice changes, in a twentieth of
 * the time.
 */
export function synthesizeFew(context: Readonly<Record<string, unknown>> = {}): Synthesized {
  const key = `few ${JSON.stringify(context)}`;
  const found = known.get(key) ?? synthesizeEndpoints(fewEndpoints(), context);
  known.set(key, found);
  return found;
}

/** Choices that have nothing to do with each other: a synthesis for each would take a tenth of a second. */
export const chosen = {
  corsOrigins: 'https://a.example.com,http://localhost:3000',
  domainName: 'flags.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0123',
  alarmEmail: 'operator@example.com',
  emailSender: 'flags@example.com',
  reservedConcurrency: '5',
  architecture: 'x86_64',
  logRetentionDays: '30',
  ...{ throttleRate: '50', throttleBurst: '80', maxReadUnits: '200', maxWriteUnits: '100' },
};

/** Choices that name what the account has already. */
export const ofAccount = {
  emailSender: 'flags@example.com',
  smtpParameter: '/flags/smtp',
  encryptionKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab',
  permissionsBoundary: 'flags-boundary',
  tags: 'team=flags,cost center=42',
};

/** A key that signs checkpoints. */
export const checkpointKeyArn = 'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab';

/** Choices that keep checkpoints where nobody can alter them. */
export const keeping = { checkpointKeyArn, checkpointLockDays: '365' };

/** Synthesizes a stack of other endpoints than those of the registry. */
export function synthesizeEndpoints(
  endpoints: readonly DeployedEndpoint[],
  context: Readonly<Record<string, unknown>> = {},
): Synthesized {
  using folder = temporaryFolder();
  return synthesizeIn(folder.path, endpoints, { 'aws:cdk:disable-asset-staging': true, ...context });
}

/** As `synthesizeEndpoints`, and leaves the templates, and what lies beside them, in `cdk.out` in a folder. */
export function synthesizeIn(
  directory: string,
  endpoints: readonly DeployedEndpoint[],
  context: Readonly<Record<string, unknown>>,
): Synthesized {
  const bundles = join(directory, 'bundles');
  // The stack does not look into the bundles, so empty files will do.
  const names = (['many', 'few'] as const).flatMap((functions) => endpoints.map((each) => functionOf(each, functions)));
  const ofNoEndpoint = [unroutedHandler, prepareStoreFunction, sendFunction, clockFunction];
  const functions = [...new Set(names), ...ofNoEndpoint];
  for (const name of functions) {
    mkdirSync(join(bundles, name), { recursive: true });
    writeFileSync(join(bundles, name, 'index.cjs'), `// ${name}`);
  }
  const app = new App({
    outdir: join(directory, 'cdk.out'),
    context: { ...cdkSettings.context, ...withoutStackTraces, ...context },
    // The CDK's own look at a template takes seconds; `npm run synth` has it.
    builtinCloudFormationValidation: false,
    // A list of the constructs, which only the CDK's console reads.
    treeMetadata: false,
  });
  const stack = new FlagstaffStack(app, stackNameOf(app), { bundles, endpoints });
  return { app, ...templatesOf(stack) };
}
