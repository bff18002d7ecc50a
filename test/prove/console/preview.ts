import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { buildPreview } from '../../../infra/console/build-console.ts';
import type { ExplanationResult } from '../../../lib/delivery/evaluation/explanation.ts';
import type { TypedContext } from '../../../lib/delivery/preview/typed-context.ts';
import type { ConsoleFlag } from '../../../lib/screens/flag-schema.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { openMemoryStore, openService, type ProvedService, unhurriedMs } from '../service.ts';

/** Verdicts that were compared, and a sentence about each that differs. */
export interface PreviewCounts {
  compared: number;
  readonly different: string[];
}

const environment = 'development';
const flagCount = 24;
/** The first flags are parents of others. */
const parentCount = 4;

/** The code of the preview, which is compiled for browsers. */
interface Preview {
  explainFlag(flag: ConsoleFlag, environment: string, typed: TypedContext): Promise<ExplanationResult | undefined>;
}

/** The part of an answer of the playground that is compared. */
interface PlaygroundFlag {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly hasUnsatisfiedDependency: boolean;
  readonly variant: { readonly name: string };
  readonly strategies: { readonly data: readonly { readonly result: { readonly enabled: unknown } }[] };
}

/**
 * Compares the preview of the console, as browsers run it, with the playground of the service: flags with every kind of
 * condition, segments and parents, for generated contexts.
 * @param count the number of contexts.
 */
export async function provePreview(seed: number, count: number): Promise<PreviewCounts> {
  await using _store = await openMemoryStore();
  const service = await openService(undefined, unhurriedMs);
  try {
    const { explainFlag } = await loadPreview();
    await createFlags(service, seed);
    const flags = await Promise.all(names.map((name) => loadFlag(service, name)));
    const counts: PreviewCounts = { compared: 0, different: [] };
    for (const typed of fc.sample(context, { numRuns: count, seed })) {
      const answers = await askPlayground(service, typed);
      for (const flag of flags) {
        counts.compared += 1;
        const found = await explainFlag(flag, environment, typed);
        const answer = answers.get(flag.feature.name);
        const [own, wanted] = [
          found && [found.isEnabled, found.hasUnsatisfiedDependency, found.variant.name, resultsOf(found.strategies)],
          answer && [
            ...[answer.isEnabled, answer.hasUnsatisfiedDependency, answer.variant.name],
            resultsOf(answer.strategies.data),
          ],
        ].map((verdict) => JSON.stringify(verdict));
        if (own !== wanted)
          counts.different.push(`${flag.feature.name} for ${JSON.stringify(typed)}: ${own} instead of ${wanted}`);
      }
    }
    return counts;
  } finally {
    service.table.store.client.destroy();
  }
}

const names = Array.from({ length: flagCount }, (_, index) => `preview-${index}`);

const resultsOf = (strategies: readonly { readonly result: { readonly enabled: unknown } }[]) =>
  strategies.map(({ result }) => result.enabled);

/** Builds the preview with the stand-ins of browsers, and loads it. */
async function loadPreview(): Promise<Preview> {
  using folder = temporaryFolder();
  const file = join(folder.path, 'preview.mjs');
  await buildPreview(file);
  return import(pathToFileURL(file).href);
}

/** @throws Error where the service refuses. */
async function send<T>({ call }: ProvedService, method: string, target: string, body?: unknown): Promise<T> {
  const reply = await call(method, target, { ...(body !== undefined && { body }) });
  if (reply.status >= 400) throw new Error(`${method} ${target}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body as T;
}

async function createFlags(service: ProvedService, seed: number): Promise<void> {
  const segments: number[] = [];
  for (const [index, constraints] of fc.sample(conditions, { numRuns: 4, seed }).entries()) {
    const created = await send<{ id: number }>(service, 'POST', '/api/admin/segments', {
      name: `segment-${index}`,
      constraints,
    });
    segments.push(created.id);
  }
  const project = '/api/admin/projects/default';
  for (const [index, drawn] of fc.sample(flag(segments), { numRuns: flagCount, seed }).entries()) {
    const path = `${project}/features/${names[index]}`;
    await send(service, 'POST', `${project}/features`, { name: names[index] });
    for (const strategy of drawn.strategies)
      await send(service, 'POST', `${path}/environments/${environment}/strategies`, strategy);
    if (drawn.isOn) await send(service, 'POST', `${path}/environments/${environment}/on`);
    const parent = { feature: names[drawn.parent % parentCount], enabled: drawn.isWanted };
    if (index >= parentCount && index % 2 === 0) await send(service, 'POST', `${path}/dependencies`, parent);
  }
}

const loadFlag = (service: ProvedService, name: string) =>
  send<ConsoleFlag>(service, 'GET', `/api/admin/console/projects/default/flags/${name}`);

async function askPlayground(
  service: ProvedService,
  typed: TypedContext,
): Promise<ReadonlyMap<string, PlaygroundFlag>> {
  const { userId, sessionId, remoteAddress, currentTime, appName = 'proof', ...properties } = typed;
  const { features } = await send<{ features: readonly PlaygroundFlag[] }>(service, 'POST', '/api/admin/playground', {
    environment,
    projects: '*',
    context: { appName, userId, sessionId, remoteAddress, currentTime, properties },
  });
  return new Map(features.map((feature) => [feature.name, feature]));
}

const users = ['7', 'ann', 'bob', '42', 'Zoë', '用户'];
const regions = ['eu', 'us', 'EU', ''];
const addresses = [
  ...['10.0.0.1', '10.9.0.1', '192.168.7.9', '010.0.0.1', '2001:db8::1', '2001:DB8:0::1', '::ffff:10.0.0.1'],
  ...['fe80::1%eth0', '::', 'localhost', '10.0.0.1 '],
];
const emails = ['ann@example.com', 'BOB@EXAMPLE.ORG', 'x', 'zoë@example.com'];

// The user and the time are always given: a rollout without a user is random.
const context: fc.Arbitrary<TypedContext> = fc
  .record(
    {
      userId: fc.constantFrom(...users),
      sessionId: fc.constantFrom('s-1', 's-2', 's-3'),
      currentTime: fc.constantFrom('2025-01-01T00:00:00.000Z', '2026-06-15T12:30:00.000Z', '2027-12-31T23:59:59.000Z'),
      appName: fc.constantFrom('shop', 'proof'),
      remoteAddress: fc.constantFrom(...addresses),
      region: fc.constantFrom(...regions),
      age: fc.constantFrom('0', '17', '18', '65.5', 'old'),
      version: fc.constantFrom('1.0.0', '1.2.3-beta.1', 'v2.10.0', 'nightly'),
      email: fc.constantFrom(...emails),
    },
    { requiredKeys: ['userId', 'sessionId', 'currentTime', 'appName'] },
  )
  // A form leaves fields without a text out.
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')));

const inverted = fc.boolean();
const caseInsensitive = fc.boolean();
const some = (values: readonly string[]) => fc.subarray([...values], { minLength: 1 });

const condition = fc.oneof(
  fc.record({
    contextName: fc.constantFrom('region', 'userId', 'appName'),
    operator: fc.constantFrom('IN', 'NOT_IN'),
    values: some(['eu', 'us', 'ann', '7', 'shop', '用户']),
    inverted,
  }),
  fc.record({
    contextName: fc.constant('email'),
    operator: fc.constantFrom('STR_STARTS_WITH', 'STR_ENDS_WITH', 'STR_CONTAINS'),
    values: some(['ann', '@example', '.ORG', 'Ë']),
    inverted,
    caseInsensitive,
  }),
  fc.record({
    contextName: fc.constantFrom('email', 'userId', 'version'),
    operator: fc.constant('REGEX'),
    value: fc.constantFrom('^[a-z]+@example\\.(com|org)$', '\\d+', '(?i)BOB', '^.{1,3}$', '\\pL+', 'a|b|Z'),
    inverted,
    caseInsensitive,
  }),
  fc.record({
    contextName: fc.constantFrom('remoteAddress', 'region'),
    operator: fc.constant('IN_CIDR'),
    values: some(['10.0.0.0/8', '192.168.7.0/24', '2001:db8::/32', '::ffff:10.0.0.0/104', '10.0.0.1', 'fe80::/10']),
    inverted,
  }),
  fc.record({
    contextName: fc.constant('age'),
    operator: fc.constantFrom('NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'),
    value: fc.constantFrom('0', '18', '65.5'),
    inverted,
  }),
  fc.record({
    contextName: fc.constant('currentTime'),
    operator: fc.constantFrom('DATE_AFTER', 'DATE_BEFORE'),
    value: fc.constantFrom('2025-06-01T00:00:00.000Z', '2026-12-31T00:00:00.000Z'),
    inverted,
  }),
  fc.record({
    contextName: fc.constant('version'),
    operator: fc.constantFrom('SEMVER_EQ', 'SEMVER_GT', 'SEMVER_GTE', 'SEMVER_LT', 'SEMVER_LTE'),
    value: fc.constantFrom('1.2.3', '1.2.3-beta.1', '2.0.0'),
    inverted,
  }),
);
const conditions = fc.array(condition, { maxLength: 2 });

const variantNames = fc.constantFrom<readonly string[]>([], ['one'], ['one', 'two', 'three']);

/** Strategies of every kind that the service evaluates, and one that only an application can. */
function strategy(segments: readonly number[]) {
  const common = { constraints: conditions, segments: fc.subarray([...segments], { maxLength: 2 }) };
  const disabled = fc.integer({ min: 0, max: 9 }).map((number) => number === 0);
  return fc.oneof(
    fc
      .record({
        name: fc.constant('flexibleRollout'),
        parameters: fc.record({
          rollout: fc.integer({ min: 0, max: 100 }).map(String),
          stickiness: fc.constantFrom('default', 'userId', 'sessionId', 'region'),
          groupId: fc.constantFrom('a', 'b'),
        }),
        ...common,
        disabled,
        names: variantNames,
      })
      .map(({ names: all, ...rollout }) => ({
        ...rollout,
        variants: all.map((name, index) => ({
          name,
          weight: Math.floor(1_000 / all.length) + (index < 1_000 % all.length ? 1 : 0),
          weightType: 'variable',
          stickiness: rollout.parameters.stickiness,
        })),
      })),
    fc.record({ name: fc.constant('default'), parameters: fc.constant({}), ...common, disabled }),
    fc.record({
      name: fc.constant('userWithId'),
      parameters: some(users).map((ids) => ({ userIds: ids.join(',') })),
      ...common,
      disabled,
    }),
    fc.record({
      name: fc.constant('remoteAddress'),
      parameters: some(['10.0.0.1', '192.168.7.0/24', '2001:db8::1']).map((all) => ({ IPs: all.join(',') })),
      ...common,
      disabled,
    }),
    fc.record({
      name: fc.constant('applicationHostname'),
      parameters: fc.constant({ hostNames: 'localhost' }),
      ...common,
      disabled,
    }),
  );
}

const flag = (segments: readonly number[]) =>
  fc.record({
    isOn: fc.integer({ min: 0, max: 4 }).map((number) => number > 0),
    strategies: fc.array(strategy(segments), { minLength: 1, maxLength: 3 }),
    parent: fc.nat(),
    isWanted: fc.boolean(),
  });
