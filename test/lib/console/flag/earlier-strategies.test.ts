import { describe, expect, test } from 'vitest';
import { listEarlierStrategies } from '../../../../lib/console/flag/earlier-strategies.ts';
import type { ConsoleFlag } from '../../../../lib/screens/flag-schema.ts';

const strategyWith = (rollout: string) => ({
  ...{ id: '1', name: 'flexibleRollout', title: null, disabled: false, sortOrder: 0 },
  ...{ segments: [], constraints: [], variants: [] },
  parameters: { rollout, stickiness: 'default', groupId: 'checkout' },
});

/** Builds a flag with these strategies in production. */
const flagWith = (...strategies: readonly object[]) =>
  ({ feature: { environments: [{ name: 'production', strategies }] } }) as unknown as ConsoleFlag;

const update = (before: string, after: string) => ({
  type: 'feature-strategy-update' as const,
  environment: 'production',
  preData: strategyWith(before),
  data: strategyWith(after),
});

describe('The way back in the history', () => {
  test('leads to the state before the newest change', () => {
    const states = listEarlierStrategies(flagWith(strategyWith('50')), update('25', '50'));
    expect(states.map(({ label, draft }) => [label, draft.parameters.rollout])).toEqual([
      ['Go back to before this', '25'],
    ]);
  });

  test('leads to the states before and after an older change', () => {
    const states = listEarlierStrategies(flagWith(strategyWith('75')), update('25', '50'));
    expect(states.map(({ label, draft }) => [label, draft.parameters.rollout])).toEqual([
      ['Go back to this', '50'],
      ['Go back to before this', '25'],
    ]);
  });

  test('brings a removed strategy back', () => {
    const event = { ...update('25', ''), type: 'feature-strategy-remove' as const, data: null };
    const [state, ...others] = listEarlierStrategies(flagWith(), event);
    expect(state).toMatchObject({ label: 'Bring it back', current: undefined, environment: 'production' });
    expect(others).toEqual([]);
  });

  test('takes parameters in another order as the same', () => {
    const { parameters, ...others } = strategyWith('50');
    const turned = Object.fromEntries(Object.entries(parameters).toReversed());
    expect(listEarlierStrategies(flagWith({ ...others, parameters: turned }), update('50', '50'))).toEqual([]);
  });

  test('does not exist for other events, nor where the flag has lost the environment', () => {
    const enabled = { ...update('25', '50'), type: 'feature-environment-enabled' as const };
    expect(listEarlierStrategies(flagWith(strategyWith('50')), enabled)).toEqual([]);
    const elsewhere = { ...update('25', '50'), environment: 'staging' };
    expect(listEarlierStrategies(flagWith(strategyWith('50')), elsewhere)).toEqual([]);
  });
});
