import type { FiledFeature } from '../../harness/import-file.ts';

/** Constraints of every operator. */
export const sampleConstraints = [
  { contextName: 'country', operator: 'IN', values: ['NZ', 'CH'] },
  { contextName: 'country', operator: 'NOT_IN', values: ['DE', 'US'], inverted: true },
  { contextName: 'userId', operator: 'IN', values: ['user-1', 'user-2', 'user-42'] },
  { contextName: 'email', operator: 'STR_STARTS_WITH', values: ['ann', 'Bob'], caseInsensitive: true },
  { contextName: 'email', operator: 'STR_ENDS_WITH', values: ['@example.com'] },
  { contextName: 'email', operator: 'STR_CONTAINS', values: ['+beta', 'été'], caseInsensitive: true, inverted: true },
  { contextName: 'age', operator: 'NUM_EQ', value: '42' },
  { contextName: 'age', operator: 'NUM_GT', value: '17.5' },
  { contextName: 'age', operator: 'NUM_GTE', value: '18' },
  { contextName: 'age', operator: 'NUM_LT', value: '-1' },
  { contextName: 'age', operator: 'NUM_LTE', value: '65', inverted: true },
  { contextName: 'currentTime', operator: 'DATE_AFTER', value: '2025-06-01T00:00:00.000Z' },
  { contextName: 'currentTime', operator: 'DATE_BEFORE', value: '2031-12-31T23:59:59.000Z' },
  { contextName: 'version', operator: 'SEMVER_EQ', value: '1.2.3' },
  { contextName: 'version', operator: 'SEMVER_GT', value: '1.2.3-beta.1' },
  { contextName: 'version', operator: 'SEMVER_LT', value: '2.0.0' },
  { contextName: 'email', operator: 'REGEX', value: '^[a-z]+\\d*@example\\.(com|org)$' },
].map((each) => ({ values: [] as string[], inverted: false, caseInsensitive: false, ...each }));

/** Strategies of every type, with parameters of each form. */
function strategyOf(index: number, name: string): Record<string, unknown> {
  const percent = String((index * 7) % 101);
  const types: readonly Record<string, unknown>[] = [
    { name: 'default', parameters: {} },
    { name: 'flexibleRollout', parameters: { rollout: percent, stickiness: 'default', groupId: name } },
    { name: 'flexibleRollout', parameters: { rollout: percent, stickiness: 'userId', groupId: 'shared' } },
    { name: 'flexibleRollout', parameters: { rollout: percent, stickiness: 'sessionId', groupId: name } },
    { name: 'flexibleRollout', parameters: { rollout: percent, stickiness: 'tenant', groupId: name } },
    { name: 'flexibleRollout', parameters: { rollout: percent, stickiness: 'random', groupId: name } },
    { name: 'userWithId', parameters: { userIds: `user-${index % 1000}, user-7,someone else` } },
    { name: 'remoteAddress', parameters: { IPs: '10.0.0.1,192.168.7.0/24,2001:db8::1' } },
    { name: 'applicationHostname', parameters: { hostNames: 'web-1,web-2' } },
    { name: 'gradualRolloutUserId', parameters: { percentage: percent, groupId: name } },
    { name: 'gradualRolloutSessionId', parameters: { percentage: percent, groupId: name } },
    { name: 'gradualRolloutRandom', parameters: { percentage: percent } },
    { name: 'storeHours', parameters: { hours: '8,12', percent, note: 'über 8 "quoted"', open: 'true', most: '3' } },
  ];
  return types[index % types.length] ?? {};
}

function variantsOf(index: number, stickiness: string) {
  const payloads = [
    { type: 'string', value: 'blue "sky"' },
    { type: 'json', value: '{"color":"blue"}' },
    { type: 'csv', value: 'a,b' },
    { type: 'number', value: '42.5' },
    undefined,
  ];
  const weights = [[1000], [500, 500], [100, 900], [333, 333, 334]][index % 4] ?? [];
  return weights.map((weight, place) => ({
    name: `variant-${place}`,
    weight,
    weightType: index % 4 === 2 && place === 0 ? 'fix' : 'variable',
    stickiness,
    ...(payloads[(index + place) % 5] && { payload: payloads[(index + place) % 5] }),
  }));
}

const types = ['release', 'experiment', 'operational', 'kill-switch', 'permission'];
const nothing = { title: null, disabled: false, segments: [], constraints: [], variants: [] };

export const flagName = (index: number, project: string) => `${project}.flag-${String(index).padStart(4, '0')}`;

/** A flag as it is in an environment; those with the same index differ from one environment to the next. */
export function flagOf(
  index: number,
  { project, environment, segments }: { project: string; environment: string; segments: readonly number[] },
): FiledFeature {
  const name = flagName(index, project);
  const turn = index + environment.length;
  const strategies = Array.from({ length: turn % 4 }, (_, place) => {
    const strategy = strategyOf(turn * 3 + place, name);
    const isRollout = strategy.name === 'flexibleRollout';
    return {
      ...nothing,
      ...strategy,
      ...(turn % 5 === 0 && { title: `The ${place}. of ${name}` }),
      ...(turn % 9 === 0 && place === 1 && { disabled: true }),
      constraints: Array.from(
        { length: (turn + place) % 4 },
        (_, at) => sampleConstraints[(turn * 5 + at * 3) % sampleConstraints.length],
      ),
      ...(segments.length > 0 && turn % 3 === 0 && { segments: [segments[turn % segments.length]] }),
      ...(isRollout && turn % 2 === 0 && { variants: variantsOf(turn, 'default') }),
      sortOrder: place,
    };
  });
  const parent = index % 11 === 0 && index > 0 ? flagName(index - 1, project) : undefined;
  return {
    name,
    type: types[index % types.length],
    description: index % 3 === 0 ? `The ${index}. flag, “quoted”\nand on two lines` : null,
    impressionData: index % 4 === 0,
    stale: index % 13 === 0,
    project,
    enabled: turn % 3 !== 0,
    strategies,
    variants: turn % 7 === 0 ? variantsOf(turn, 'default') : [],
    ...(index % 4 === 0 && {
      tags: [
        { type: 'simple', value: `team-${index % 6}` },
        { type: 'area', value: `Checkout ${index % 3}` },
      ],
    }),
    ...(parent !== undefined && {
      parents: [{ feature: parent, enabled: index % 2 === 0 }],
    }),
    ...(index % 10 === 0 && { link: { url: `https://example.com/${index}`, title: `Ticket ${index}` } }),
  };
}
