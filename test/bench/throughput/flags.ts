import { times } from './names.ts';

/** Percentages of the rollouts, in turn: most flags are on for some users, and some for all. */
const rollouts = [5, 10, 25, 50, 75, 100, 100];

/** Constraints as applications use them. Each is on a built-in field, which every server knows. */
const constraints = [
  { contextName: 'userId', operator: 'IN', values: times(20, (index) => String(index * 37)) },
  { contextName: 'appName', operator: 'NOT_IN', values: ['legacy-shop', 'legacy-admin'] },
  { contextName: 'currentTime', operator: 'DATE_AFTER', value: '2024-01-01T00:00:00.000Z', values: [] },
  { contextName: 'userId', operator: 'STR_ENDS_WITH', values: ['1', '3', '5', '7', '9'] },
  { contextName: 'sessionId', operator: 'STR_STARTS_WITH', values: ['a', 'b', 'c'], caseInsensitive: true },
];

const variants = [
  { name: 'control', weight: 500 },
  { name: 'treatment', weight: 500 },
].map((variant) => ({
  ...variant,
  ...{
    weightType: 'variable',
    stickiness: 'default',
    payload: { type: 'string', value: `colours of ${variant.name}` },
  },
}));

/**
 * Returns flags as services have them, for an import: all on with a gradual rollout, a quarter of them with constraints, and a tenth
 * with variants.
 */
export function realisticFlags(names: readonly string[]) {
  return names.map((name, index) => ({
    name,
    enabled: true,
    strategies: [
      {
        name: 'flexibleRollout',
        parameters: {
          rollout: String(rollouts[index % rollouts.length]),
          stickiness: 'default',
          groupId: name,
        },
        constraints: index % 4 === 0 ? [constraints[(index / 4) % constraints.length]] : [],
        variants: index % 10 === 0 ? variants : [],
      },
    ],
  }));
}
