import fc from 'fast-check';
import client from 'unleash-client/lib/client.js';
import { defaultStrategies } from 'unleash-client/lib/strategy/index.js';
import { buildContext } from '../../../lib/delivery/evaluation/context.ts';
import { type EvaluableFeature, Evaluation } from '../../../lib/delivery/evaluation/evaluation.ts';
import type { GeneratedCounts, GeneratedOptions } from './generated.ts';

/**
 * Compares our evaluation of generated flags with that of the official SDK of Node. Nothing goes over HTTP, so that they
 * hold much that the API would refuse: every operator and strategy type, with any operands and weights.
 */
export function proveLikeNodeSdk({ features: count, contexts, seed }: GeneratedOptions): GeneratedCounts {
  const features = fc
    .sample(feature, { numRuns: count, seed })
    .map((each, index) => ({ ...each, name: nameOf(index) }));
  const ofSegments = fc.sample(fc.array(constraint, { maxLength: 2 }), { numRuns: segmentIds.length, seed });
  const segments = new Map(segmentIds.map((id, index) => [id, { id, constraints: ofSegments[index] ?? [] }]));
  const evaluation = new Evaluation({ features, segments });
  const byName = new Map(features.map((each) => [each.name, each]));
  const repository = { getToggle: (name: string) => byName.get(name), getSegment: (id: number) => segments.get(id) };
  // The engine uses these two methods of a repository.
  const engine = new client.default(repository as never, defaultStrategies);
  const counts: GeneratedCounts = { compared: 0, different: [] };
  for (const { properties, ...texts } of fc.sample(context, { numRuns: contexts, seed })) {
    for (const { feature: found, variant } of evaluation.evaluateAll(buildContext({ texts, properties }))) {
      counts.compared += 1;
      const wanted = engine.getVariant(found.name, { ...texts, properties } as never);
      const [own, sdk] = [variant, wanted].map(({ name, feature_enabled, payload }) => [
        name,
        feature_enabled,
        payload,
      ]);
      if (JSON.stringify(own) === JSON.stringify(sdk)) continue;
      const about = JSON.stringify({ texts, properties, feature: found });
      counts.different.push(`${own} instead of ${sdk} by the SDK of Node: ${about}`);
    }
  }
  return counts;
}

const nameOf = (index: number) => `flag-${index}`;
const segmentIds = [1, 2];

// The SDK takes a range for an address, if it is sent as one, and knows no ranges of IPv6 in the strategy remoteAddress.
const addresses = ['10.0.0.1', '10.9.0.1', '11.0.0.1', '2001:db8::1', '::ffff:10.0.0.1'];
const ranges = ['10.0.0.0/8', '0.0.0.0/0', '10.0.0.0/33', '10.0.0.0/', 'garbage'];
const numbers = ['7', '-7', '7.50', ' 8 ', '1e3', '0x10', 'NaN', 'Infinity'];
const versions = ['1.2.3', 'v1.2.3', ' v1.2.3', '1.2.3-beta.1', '1.2.3+build', '1.10.0', '2.0'];
const dates = ['2026-01-01', '2026-01-01T00:00:00.000Z', '2027-06-30T12:00:00Z'];
const words = ['ann', 'ANN', 'a', ' a ', 'x,y', 'Zoë', '用户', 'ß', 'constructor', '__proto__', '(', 'a+', '^7$', '.*'];
const known = [...addresses, ...numbers, ...versions, ...dates, ...words];

const sent = fc.constantFrom(...known);
const operand = fc.constantFrom(...known, ...ranges, '', ' ');
const share = fc.constantFrom('0', '1', '25', '50', '99.5', '100', '-3', 'x', '');
const fields = ['userId', 'sessionId', 'plan'];
// Where a field is not sent, the SDK finds what every object has, such as a constructor.
const field = fc.constantFrom(...fields, 'remoteAddress', 'currentTime', 'age', 'nowhere');
const stickiness = fc.constantFrom('default', ...fields);

const constraint = fc.record({
  contextName: field,
  operator: fc.constantFrom(
    ...['IN', 'NOT_IN', 'STR_ENDS_WITH', 'STR_STARTS_WITH', 'STR_CONTAINS', 'NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT'],
    ...['NUM_LTE', 'DATE_AFTER', 'DATE_BEFORE', 'SEMVER_EQ', 'SEMVER_GT', 'SEMVER_GTE', 'SEMVER_LT', 'SEMVER_LTE'],
    ...['REGEX', 'IN_CIDR', 'NONE', 'constructor'],
  ),
  values: fc.array(operand, { maxLength: 4 }),
  value: operand,
  inverted: fc.boolean(),
  caseInsensitive: fc.boolean(),
});

const variant = fc.record(
  {
    name: fc.constantFrom('one', 'two', 'three'),
    weight: fc.constantFrom(0, 1, 333.3, 500, 1_000),
    stickiness,
    payload: fc.constant({ type: 'string', value: 'x' }),
    overrides: fc.array(fc.record({ contextName: field, values: fc.array(operand, { maxLength: 3 }) })),
  },
  { requiredKeys: ['name', 'weight', 'stickiness'] },
);

const strategy = fc.record({
  name: fc.constantFrom(
    ...['default', 'flexibleRollout', 'flexibleRollout', 'userWithId', 'remoteAddress', 'gradualRolloutUserId'],
    ...['gradualRolloutSessionId', 'applicationHostname', 'own'],
  ),
  parameters: fc.record({
    rollout: share,
    percentage: share,
    stickiness,
    groupId: fc.constantFrom('a', 'b', '', 'Zoë'),
    userIds: fc.array(operand, { maxLength: 3 }).map(String),
    IPs: fc.array(operand, { maxLength: 3 }).map((all) => all.join(' , ')),
    hostNames: operand,
  }),
  constraints: fc.array(constraint, { maxLength: 2 }),
  variants: fc.array(variant, { maxLength: 3 }),
  segments: fc.subarray([...segmentIds, 9], { maxLength: 1 }),
});

const parents = 10;
const feature = fc.record({
  enabled: fc.integer({ min: 0, max: 6 }).map((number) => number > 0),
  strategies: fc.array(strategy, { maxLength: 3 }),
  variants: fc.array(variant, { maxLength: 3 }),
  dependencies: fc.array(
    fc.record({
      feature: fc.nat(parents).map((index) => (index === parents ? 'none' : nameOf(index))),
      enabled: fc.boolean(),
      variants: fc.subarray(['one', 'two', 'disabled']),
    }),
    { maxLength: 1 },
  ),
}) satisfies fc.Arbitrary<Omit<EvaluableFeature, 'name'>>;

// Without what a rollout sticks to, it is random.
const context = fc.record({
  userId: sent,
  sessionId: sent,
  plan: sent,
  remoteAddress: fc.constantFrom(...addresses, 'x', ''),
  currentTime: fc.constantFrom(...dates, 'x'),
  properties: fc.record({ age: sent, userId: sent }, { requiredKeys: [] }),
});
