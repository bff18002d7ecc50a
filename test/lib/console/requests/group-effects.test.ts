import { expect, test } from 'vitest';
import { groupEffects } from '../../../../lib/console/requests/group-effects.ts';

test('A flag that a request would not change, since it is so already, shows what was asked for', () => {
  const switchOn = { action: 'updateEnabled', payload: { enabled: true } };
  const type = 'feature-environment-enabled' as const;
  const groups = groupEffects({
    request: {
      features: [
        { name: 'gift-cards', changes: [switchOn] },
        { name: 'new-checkout', changes: [switchOn] },
      ],
      segments: [],
    },
    preview: { events: [{ type, featureName: 'new-checkout', data: null, preData: null }] },
  });
  expect(groups.map(({ flag, isIdle, effects }) => [flag, isIdle, effects.map((effect) => effect.type)])).toEqual([
    ['new-checkout', false, [type]],
    ['gift-cards', true, [type]],
  ]);
});
