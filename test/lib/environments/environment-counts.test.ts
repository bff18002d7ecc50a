import { describe, expect, test } from 'vitest';
import { CountChanges, countsOf } from '../../../lib/environments/environment-counts.ts';
import { keys } from '../../../lib/table/keys.ts';

function changes(...amounts: Parameters<CountChanges['add']>[]): CountChanges {
  const all = new CountChanges();
  for (const amount of amounts) all.add(...amount);
  return all;
}

describe('Changes of the counts of environments', () => {
  test('are one write, whose amounts are read as what was added', () => {
    const [write, ...others] = changes(
      ['enabledToggleCount', 'development', 1],
      ['enabledToggleCount', 'development', 2],
      ['enabledToggleCount', 'production', -1],
      ['projectCount', 'development', 1],
    ).writes();
    expect(others).toEqual([]);
    const amounts = write !== undefined && 'addToAny' in write ? write.amounts : {};
    const none = { projectCount: 0, apiTokenCount: 0, enabledToggleCount: 0 };
    expect(countsOf('development', [amounts])).toEqual({ ...none, projectCount: 1, enabledToggleCount: 3 });
    expect(countsOf('production', [amounts])).toEqual({ ...none, enabledToggleCount: -1 });
    expect(countsOf('other', [amounts])).toEqual(none);
  });

  test('that cancel out are no write, and where only some do the others are', () => {
    const cancelled = changes(['projectCount', 'development', 1], ['projectCount', 'development', -1]);
    expect(changes().writes()).toEqual([]);
    expect(cancelled.writes()).toEqual([]);
    const [write] = CountChanges.sum([cancelled, changes(['projectCount', 'production', 1])]).writes();
    expect(Object.values(write !== undefined && 'addToAny' in write ? write.amounts : {})).toEqual([1]);
  });

  test('of several add up, and stay what they are themselves', () => {
    const one = changes(['projectCount', 'development', 1]);
    const two = changes(['projectCount', 'development', 2], ['apiTokenCount', 'development', 1]);
    const [write] = CountChanges.sum([one, two]).writes();
    const amounts = write !== undefined && 'addToAny' in write ? write.amounts : {};
    expect(countsOf('development', [amounts])).toEqual({ projectCount: 3, apiTokenCount: 1, enabledToggleCount: 0 });
    expect(one.writes()).toMatchObject([{ amounts: { 'projectCount:development': 1 } }]);
  });

  test('go to any of the shards', () => {
    expect(changes(['projectCount', 'development', 1]).writes()).toMatchObject([{ addToAny: keys.environmentCounts }]);
  });
});

describe('The counts of an environment', () => {
  test('are the sums over all shards, of which some hold no part', () => {
    const shards = [{ 'projectCount:development': 2 }, {}, { 'projectCount:development': 3, sk: 'COUNTS#00' }];
    expect(countsOf('development', shards).projectCount).toBe(5);
    expect(countsOf('development', [])).toEqual({ projectCount: 0, apiTokenCount: 0, enabledToggleCount: 0 });
  });
});
