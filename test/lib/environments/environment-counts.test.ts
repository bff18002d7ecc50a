import { describe, expect, test } from 'vitest';
import { environmentCountsOf, environmentCountWrites } from '../../../lib/environments/environment-counts.ts';
import * as environmentKeys from '../../../lib/environments/keys.ts';
import { mergeWrites } from '../../../lib/store/transactions/merge-writes.ts';

type Change = Parameters<typeof environmentCountWrites>;

const writesOf = (...changes: Change[]) => mergeWrites(changes.flatMap((change) => environmentCountWrites(...change)));

describe('Changes of environment counts', () => {
  test('are merged into one write of a transaction, from whose amounts the counts can be read', () => {
    const [write, ...others] = writesOf(
      ['enabledToggleCount', 'development', 1],
      ['enabledToggleCount', 'development', 2],
      ['enabledToggleCount', 'production', -1],
      ['projectCount', 'development', 1],
    );
    expect(others).toEqual([]);
    const amounts = write !== undefined && 'addToAny' in write ? write.amounts : {};
    const none = { projectCount: 0, apiTokenCount: 0, enabledToggleCount: 0 };
    expect(environmentCountsOf('development', [amounts])).toEqual({ ...none, projectCount: 1, enabledToggleCount: 3 });
    expect(environmentCountsOf('production', [amounts])).toEqual({ ...none, enabledToggleCount: -1 });
    expect(environmentCountsOf('other', [amounts])).toEqual(none);
  });

  test('that cancel each other out are not written; the others are', () => {
    const cancelled: Change[] = [
      ['projectCount', 'development', 1],
      ['projectCount', 'development', -1],
    ];
    expect(environmentCountWrites('projectCount', 'development', 0)).toEqual([]);
    expect(writesOf(...cancelled)).toEqual([]);
    expect(writesOf(...cancelled, ['projectCount', 'production', 1])).toEqual([
      { addToAny: environmentKeys.environmentCountShards, amounts: { 'projectCount:production': 1 } },
    ]);
  });

  test('are written to any shard', () => {
    expect(environmentCountWrites('projectCount', 'development', 1)).toMatchObject([
      { addToAny: environmentKeys.environmentCountShards },
    ]);
  });
});

test('The counts of an environment are the sums over all shards, some of which are empty', () => {
  const shards = [{ 'projectCount:development': 2 }, {}, { 'projectCount:development': 3, sk: 'COUNTS#00' }];
  expect(environmentCountsOf('development', shards).projectCount).toBe(5);
  const one = { 'projectCount:a': 1, 'apiTokenCount:a': 2, 'enabledToggleCount:a': 3 };
  expect(environmentCountsOf('a', [one])).toEqual({ projectCount: 1, apiTokenCount: 2, enabledToggleCount: 3 });
  expect(environmentCountsOf('development', [])).toEqual({ projectCount: 0, apiTokenCount: 0, enabledToggleCount: 0 });
});
