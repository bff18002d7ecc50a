import { hostname } from 'node:os';
import { describe, expect, test, vi } from 'vitest';
import { buildActivation } from '../../../../lib/delivery/evaluation/activation.ts';
import { buildContext } from '../../../../lib/delivery/evaluation/context.ts';

const contextOf = (texts: Record<string, string>) => buildContext({ texts, properties: {} });
const isOn = (type: string, parameters: Record<string, string>, texts: Record<string, string> = {}) =>
  buildActivation(type, parameters)?.(contextOf(texts));

/** The number of a thousand users for whom a strategy is on. */
function share(type: string, parameters: Record<string, string>, field = 'userId'): number {
  const activation = buildActivation(type, parameters);
  return Array.from({ length: 1_000 }, (_, index) => contextOf({ [field]: `user-${index}` })).filter((context) =>
    activation?.(context),
  ).length;
}

test('userWithId is on for the users in its list', () => {
  const parameters = { userIds: 'ann , bob,7' };
  const users = ['ann', 'bob', '7', 'Ann', ''];
  expect(users.map((userId) => isOn('userWithId', parameters, { userId }))).toEqual([true, true, true, false, false]);
  expect(isOn('userWithId', { userIds: 'undefined' })).toBe(false);
  expect([isOn('userWithId', {}, { userId: '' }), isOn('userWithId', { userIds: '' }, { userId: '' })]).toEqual([
    false,
    false,
  ]);
});

test('A list of ids keeps the blanks at its ends, also in a list with a hundred thousand blanks', () => {
  const parameters = { userIds: ` ann${' '.repeat(90_000)}bob ,\t cid, ` };
  expect([' ann', 'ann', 'cid', ''].map((userId) => isOn('userWithId', parameters, { userId }))).toEqual([
    ...[false, false, true, true],
  ]);
});

test('remoteAddress is on for equal texts and for addresses in its ranges', () => {
  const parameters = { IPs: '10.0.0.0/8, 2001:db8::/32,intern' };
  const isOnAt = (remoteAddress: string) => isOn('remoteAddress', parameters, { remoteAddress });
  expect(['10.1.2.3', '2001:db8::7', 'intern', '11.0.0.1', 'x'].map(isOnAt)).toEqual([true, true, true, false, false]);
  expect(isOn('remoteAddress', parameters)).toBe(false);
  expect(isOn('remoteAddress', { IPs: 'undefined' })).toBe(false);
});

test('applicationHostname is on if its list names this host', () => {
  const host = (process.env.HOSTNAME || hostname()).toUpperCase();
  expect(isOn('applicationHostname', { hostNames: `other, ${host}` })).toBe(true);
  expect([isOn('applicationHostname', { hostNames: 'other' }), isOn('applicationHostname', {})]).toEqual([
    false,
    false,
  ]);
  vi.stubEnv('HOSTNAME', 'Stubbed');
  expect(isOn('applicationHostname', { hostNames: 'stubbed' })).toBe(true);
});

describe.each([
  ['flexibleRollout', 'rollout', 'userId'],
  ['gradualRolloutUserId', 'percentage', 'userId'],
  ['gradualRolloutSessionId', 'percentage', 'sessionId'],
])('%s is on', (type, percentage, field) => {
  test('for its percentage of users, and for nobody if the percentage is not a number', () => {
    expect(share(type, { [percentage]: '100' }, field)).toBe(1_000);
    expect(Math.abs(share(type, { [percentage]: '30' }, field) - 300)).toBeLessThan(50);
    for (const none of ['0', '-1', 'x']) expect(share(type, { [percentage]: none }, field)).toBe(0);
    expect(share(type, {}, field)).toBe(0);
  });

  test('for other users in another group; a missing group counts as empty', () => {
    const on = (groupId?: string) =>
      Array.from({ length: 50 }, (_, index) =>
        isOn(type, { [percentage]: '50', ...(groupId !== undefined && { groupId }) }, { [field]: `user-${index}` }),
      );
    expect(on('a')).not.toEqual(on('b'));
    expect(on('a')).toEqual(on('a'));
    expect(on()).toEqual(on(''));
  });
});

test('A rollout by a field is off for a context without the field', () => {
  for (const [type, field] of [
    ['gradualRolloutUserId', 'userId'],
    ['gradualRolloutSessionId', 'sessionId'],
  ] as const) {
    const parameters = { percentage: '100' };
    expect([isOn(type, parameters), isOn(type, parameters, { [field]: '' })]).toEqual([false, false]);
  }
  const parameters = { rollout: '100', stickiness: 'plan' };
  expect([isOn('flexibleRollout', parameters), isOn('flexibleRollout', parameters, { plan: 'paid' })]).toEqual([
    false,
    true,
  ]);
});

describe('flexibleRollout is sticky', () => {
  const half = (stickiness: string | undefined, texts: Record<string, string>) =>
    isOn('flexibleRollout', { rollout: '50', groupId: 'a', ...(stickiness !== undefined && { stickiness }) }, texts);
  const ids = Array.from({ length: 40 }, (_, index) => `id-${index}`);
  const bySession = ids.map((sessionId) => half('sessionId', { sessionId }));

  test.each([undefined, '', 'default'])('by default (%s) for the user, else for the session', (stickiness) => {
    expect(ids.map((userId) => half(stickiness, { userId, sessionId: 'other' }))).toEqual(bySession);
    expect(ids.map((sessionId) => half(stickiness, { sessionId, userId: '' }))).toEqual(bySession);
  });

  test('for nothing with stickiness "random" or without any id', () => {
    const several = (stickiness: string, texts: Record<string, string>) =>
      new Set(Array.from({ length: 60 }, () => half(stickiness, texts)));
    expect(several('random', { userId: 'ann' }).size).toBe(2);
    expect(several('default', {}).size).toBe(2);
    expect(several('default', { userId: 'ann' }).size).toBe(1);
  });
});

test('gradualRolloutRandom is on at random', () => {
  const random = vi.spyOn(Math, 'random');
  const at = (value: number, percentage: string) => {
    random.mockReturnValue(value);
    return isOn('gradualRolloutRandom', { percentage });
  };
  expect([
    at(0, '1'),
    at(0.0099, '1'),
    at(0.01, '1'),
    at(0.999, '100'),
    at(0.999, '99'),
    at(0, '0'),
    at(0, 'x'),
  ]).toEqual([...[true, true, false], ...[true, false, false, false]]);
  random.mockRestore();
});
