import { expect, test } from 'vitest';
import { groupEffects } from '../../../../lib/console/requests/group-effects.ts';

const switchOn = { action: 'updateEnabled', payload: { enabled: true } };
const addStrategy = { action: 'addStrategy', payload: { name: 'default' } };
const effects = {
  switchOn: { type: 'feature-environment-enabled', data: null, preData: null },
  addStrategy: { type: 'feature-strategy-add', data: { id: 's1', name: 'default' }, preData: null },
};

/** Returns the types of the effects of each group, each with the note of one that would not happen now. */
function groupTypes(...page: Parameters<typeof groupEffects>) {
  return groupEffects(...page).map(({ flag, effects: shown }) => [
    flag,
    shown.map(({ effect, note }) => (note === undefined ? effect.type : `${effect.type}: ${note}`)),
  ]);
}

test('A change that would have no effect now shows what was asked for, in its place among the others, and such flags come last', () => {
  const changes = [
    { id: 2, ...switchOn },
    { id: 3, ...addStrategy },
  ];
  const groups = groupTypes({
    request: {
      features: [
        { name: 'gift-cards', changes: [{ id: 1, ...switchOn }] },
        { name: 'new-checkout', changes },
      ],
      segments: [],
    },
    preview: { events: [{ ...effects.addStrategy, featureName: 'new-checkout', change: 3 }], conflicts: [] },
  });
  expect(groups).toEqual([
    ['new-checkout', ['feature-environment-enabled: No effect at present', 'feature-strategy-add']],
    ['gift-cards', ['feature-environment-enabled: No effect at present']],
  ]);
});

test('A change shows all of its effects, and one that cannot be made says so', () => {
  const segment = { id: 3, action: 'updateSegment', payload: { id: 1, name: 'staff', constraints: [] } };
  const changes = [
    { id: 1, ...switchOn },
    { id: 2, ...addStrategy },
  ];
  const groups = groupTypes({
    request: { features: [{ name: 'new-checkout', changes }], segments: [segment] },
    preview: {
      events: [effects.addStrategy, effects.switchOn].map((event) => ({
        ...{ ...event, featureName: 'new-checkout', change: 1 },
      })),
      conflicts: [{ change: 2 }, { change: 3 }],
    },
  });
  expect(groups).toEqual([
    [
      'new-checkout',
      ['feature-strategy-add', 'feature-environment-enabled', 'feature-strategy-add: Not possible at present'],
    ],
    [undefined, ['segment-updated: Not possible at present']],
  ]);
});

test('A closed request shows all that was asked for', () => {
  const changes = [{ id: 1, ...switchOn }];
  const groups = groupTypes({ request: { features: [{ name: 'new-checkout', changes }], segments: [] } });
  expect(groups).toEqual([['new-checkout', ['feature-environment-enabled']]]);
});
