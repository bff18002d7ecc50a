import { expect, test } from 'vitest';
import { readsAgain } from '../../../lib/backup/again.ts';
import { carriedOf, isApart } from '../../../lib/backup/carried.ts';
import { declaredPartitions, keyFiles } from '../../harness/declared-partitions.ts';

test('Of every kind of partition it is decided how a backup reads it, or that it leaves it out', () => {
  const kinds = new Set([
    ...[
      ...[...keyFiles.values()]
        .join('\n')
        .matchAll(/(?:pk: |=> |itemKey\(|itemsUnder\()['`]([A-Z_]{2,})(?=[#'`])(?!#\$\{shardName)/g),
    ].map(([, kind]) => String(kind)),
    ...declaredPartitions.map(({ pk }) => pk),
  ]);
  expect(kinds.size).toBeGreaterThan(45);
  const decisions = [
    (pk: string) => carriedOf({ pk, sk: 'x', parameters: '{}' }).item === undefined,
    (pk: string) => isApart({ pk }),
    (pk: string) => readsAgain.has(pk),
  ];
  const undecided = [...kinds].filter((pk) => decisions.filter((is) => is(pk)).length !== 1);
  expect(undecided, 'see lib/backup/carried.ts and again.ts').toEqual([]);
});
