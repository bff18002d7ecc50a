import { describe, expect, test } from 'vitest';
import { countsOf, countWrites } from '../../../lib/environments/environment-counts.ts';
import * as environmentKeys from '../../../lib/environments/keys.ts';
import { mergeWrites } from '../../../lib/store/transactions/merge-writes.ts';

type Change = Parameters<typeof countWrites>;

const written = (...changes: Change[]) => mergeWrites(changes.flatMap((change) => countWrites(...change)));

describe('Changes of the counts of environments', () => {
  test('are one write of a transaction, whose amounts are read as what was added', () => {
    const [write, ...others] = written(
      ['enabledToggleCount', 'development', 1],
      ['enabledToggleCount', 'development', 2],
      ['enabledToggleCount', 'production', -1],
      ['projectCount', 'development', 1],
    );
    expect(others).toEqual([]);
    const amounts = write !== undefined && 'addToAny' in write ? write.amounts : {};
    const none = { projectCount: 0, apiTokenCount: 0, enabledToggleCount: 0 };
    expect(countsOf('development', [amounts])).toEqual({ ...none, projectCount: 1, enabledToggleCount: 3 });
    expect(countsOf('production', [amounts])).toEqual({ ...none, enabledToggleCount: -1 });
    expect(countsOf('other', [amounts])).toEqual(none);
  });

  test('that cancel out are no write, and where only some do the others are', () => {
    const cancelled: Change[] = [
      ['projectCount', 'development', 1],
      ['projectCount', 'development', -1],
    ];
    expect(countWrites('projectCount', 'development', 0)).toEqual([]);
    expect(written(...cancelled)).toEqual([]);
    expect(written(...cancelled, ['projectCount', 'production', 1])).toEqual([
      { addToAny: environmentKeys.environmentCounts, amounts: { 'projectCount:production': 1 } },
    ]);
  });

  test('go to any of the shards', () => {
    expect(countWrites('projectCount', 'development', 1)).toMatchObject([
      { addToAny: environmentKeys.environmentCounts },
    ]);
  });
});

test('The counts of an environment are the sums over all shards, of which some hold no part', () => {
  const shards = [{ 'projectCount:development': 2 }, {}, { 'projectCount:development': 3, sk: 'COUNTS#00' }];
  expect(countsOf('development', shards).projectCount).toBe(5);
  const one = { 'projectCount:a': 1, 'apiTokenCount:a': 2, 'enabledToggleCount:a': 3 };
  expect(countsOf('a', [one])).toEqual({ projectCount: 1, apiTokenCount: 2, enabledToggleCount: 3 });
  expect(countsOf('development', [])).toEqual({ projectCount: 0, apiTokenCount: 0, enabledToggleCount: 0 });
});
