import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { RehearsalProblem } from '../../rehearsal/processes.ts';
import { findPython, installPackages } from '../../rehearsal/python.ts';
import { NotHere, workshopIn } from '../sdks/tools.ts';
import { openSite } from './site.ts';
import { type Context, type EvaluationState, off, type StateFeature } from './state.ts';

const engine = 'yggdrasil-engine==2.0.0';
const driver = fileURLToPath(new URL('yggdrasil.py', import.meta.url));

export interface GeneratedCounts {
  compared: number;
  readonly different: string[];
}

export interface GeneratedOptions {
  readonly features: number;
  readonly contexts: number;
  readonly seed: number;
}

/**
 * Compares our API's answers about generated flags with those of the engine of Unleash's other SDKs.
 * @throws NotHere where Python or the index of its packages is missing.
 */
export async function proveGenerated({ features, contexts, seed }: GeneratedOptions): Promise<GeneratedCounts> {
  const state = { version: 2, features: stateOf(features, seed).features };
  const sent = fc.sample(context, { numRuns: contexts, seed });
  const wanted = await outcomesByEngine(state, sent);
  const counts: GeneratedCounts = { compared: 0, different: [] };
  await using site = await openSite(state, ['development']);
  for (const [index, each] of sent.entries()) {
    const found = await site.frontend('development', each);
    for (const { name } of state.features) {
      counts.compared += 1;
      const { enabled, variant } = found.get(name) ?? off;
      const [isOn, chosen] = wanted[index]?.[name] ?? [];
      if (enabled === isOn && variant.name === chosen) continue;
      counts.different.push(
        `${name} for ${JSON.stringify(each)}: ${enabled}, ${variant.name} instead of ${isOn}, ${chosen}`,
      );
    }
  }
  return counts;
}

type Outcomes = Readonly<Record<string, readonly [enabled: boolean, variant: string]>>;

async function outcomesByEngine(state: EvaluationState, contexts: readonly Context[]): Promise<readonly Outcomes[]> {
  using folder = temporaryFolder();
  try {
    const { env } = workshopIn(folder.path);
    const options = { env, signal: AbortSignal.timeout(240_000) };
    const bin = await installPackages(await findPython(options), [engine], folder.path, options);
    const running = promisify(execFile)(join(bin, 'python'), [driver], { env, maxBuffer: 2 ** 28 });
    running.child.stdin?.end(JSON.stringify({ state, contexts }));
    return JSON.parse((await running).stdout);
  } catch (error) {
    throw error instanceof RehearsalProblem ? new NotHere(error.message) : error;
  }
}

// We hash letters beyond ASCII as the official SDK of Node and Unleash itself do, which is otherwise than the other SDKs.
const users = ['7', '8', 'ann', 'bob', '42', 'zoe'];
const countries = ['NZ', 'CH', 'DE', 'US'];

const context: fc.Arbitrary<Context> = fc.record(
  {
    userId: fc.constantFrom(...users),
    sessionId: fc.constantFrom('s-1', 's-2', 's-3'),
    remoteAddress: fc.constantFrom('10.0.0.1', '192.168.7.9', '2001:db8::1'),
    currentTime: fc.constantFrom('2025-01-01T00:00:00.000Z', '2026-06-15T12:30:00.000Z', '2027-12-31T23:59:59.000Z'),
    properties: fc.record(
      {
        country: fc.constantFrom(...countries),
        age: fc.constantFrom('0', '17', '18', '65.5', 'old'),
        version: fc.constantFrom('1.0.0', '1.2.3-beta.1', '2.10.0', 'nightly'),
        email: fc.constantFrom('ann@example.com', 'BOB@EXAMPLE.ORG', ''),
      },
      { requiredKeys: [] },
    ),
  },
  // Without who asks, a rollout is random.
  { requiredKeys: ['userId', 'sessionId', 'remoteAddress', 'currentTime'] },
);

const flags = { inverted: fc.boolean(), caseInsensitive: fc.boolean() };
const some = (values: readonly string[]) => fc.subarray([...values], { minLength: 1 });

const constraint = fc.oneof(
  fc.record({
    contextName: fc.constant('country'),
    operator: fc.constantFrom('IN', 'NOT_IN'),
    values: some(countries),
    inverted: fc.boolean(),
  }),
  fc.record({
    contextName: fc.constant('userId'),
    operator: fc.constantFrom('IN', 'NOT_IN'),
    values: some(users),
    inverted: fc.boolean(),
  }),
  fc.record({
    contextName: fc.constant('email'),
    operator: fc.constantFrom('STR_STARTS_WITH', 'STR_ENDS_WITH', 'STR_CONTAINS'),
    values: some(['ann', '@example', '.ORG', 'x']),
    ...flags,
  }),
  fc.record({
    contextName: fc.constant('age'),
    operator: fc.constantFrom('NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'),
    value: fc.constantFrom('0', '18', '65.5'),
    inverted: fc.boolean(),
  }),
  fc.record({
    contextName: fc.constant('currentTime'),
    operator: fc.constantFrom('DATE_AFTER', 'DATE_BEFORE'),
    value: fc.constantFrom('2025-06-01T00:00:00.000Z', '2026-12-31T00:00:00.000Z'),
    inverted: fc.boolean(),
  }),
  fc.record({
    contextName: fc.constant('version'),
    operator: fc.constantFrom('SEMVER_EQ', 'SEMVER_GT', 'SEMVER_LT'),
    value: fc.constantFrom('1.2.3', '1.2.3-beta.1', '2.0.0'),
    inverted: fc.boolean(),
  }),
);

const percent = fc.integer({ min: 0, max: 100 }).map(String);
const constraints = fc.array(constraint, { maxLength: 2 });
const variantNames = fc.constantFrom([], ['one'], ['one', 'two'], ['one', 'two', 'three']);

// They stick to what their strategy sticks to, as the console makes them: where they do not, SDKs differ among themselves.
const variantsOf = (names: readonly string[], stickiness: string) =>
  names.map((name, index) => ({
    name,
    weight: Math.floor(1_000 / names.length) + (index < 1_000 % names.length ? 1 : 0),
    weightType: 'variable',
    stickiness,
  }));

const strategy = fc.oneof(
  fc.record({ name: fc.constant('default'), parameters: fc.constant({}), constraints }),
  fc
    .record({
      name: fc.constant('flexibleRollout'),
      parameters: fc.record({
        rollout: percent,
        stickiness: fc.constantFrom('default', 'userId', 'sessionId'),
        groupId: fc.constantFrom('a', 'b', 'c'),
      }),
      constraints,
      names: variantNames,
    })
    .map(({ names, ...rollout }) => ({ ...rollout, variants: variantsOf(names, rollout.parameters.stickiness) })),
  fc.record({
    name: fc.constant('userWithId'),
    parameters: some(users).map((ids) => ({ userIds: ids.join(',') })),
    constraints,
  }),
  fc.record({
    name: fc.constant('gradualRolloutUserId'),
    parameters: fc.record({ percentage: percent, groupId: fc.constantFrom('a', 'b') }),
    constraints,
  }),
  fc.record({
    name: fc.constant('remoteAddress'),
    parameters: some(['10.0.0.1', '192.168.7.0/24', '2001:db8::1']).map((all) => ({ IPs: all.join(',') })),
    constraints,
  }),
);

/** Flags with up to three strategies; one in five depends on one of the first. */
function stateOf(count: number, seed: number): EvaluationState {
  const drawn = fc.sample(
    fc.record({
      enabled: fc.integer({ min: 0, max: 4 }).map((number) => number > 0),
      strategies: fc.array(strategy, { minLength: 1, maxLength: 3 }),
      parent: fc.integer({ min: 0, max: 9 }),
      isWanted: fc.boolean(),
    }),
    { numRuns: count, seed },
  );
  const parents = Math.min(10, count);
  const features = drawn.map(({ enabled, strategies, parent, isWanted }, index): StateFeature => {
    const feature = `generated-${parent % parents}`;
    const depends = index >= parents && index % 5 === 0;
    return {
      name: `generated-${index}`,
      enabled,
      strategies,
      variants: [],
      ...(depends && { dependencies: [{ feature, enabled: isWanted }] }),
    };
  });
  return { features };
}
