import { expect, test } from 'vitest';
import { isIndependent, toBackupItem } from '../../../lib/backup/backup-items.ts';
import { kindsReadEachRound } from '../../../lib/backup/round-partitions.ts';
import { declaredPartitions, keyFiles } from '../../harness/declared-partitions.ts';

test('Every kind of item is either read by a backup or explicitly omitted', () => {
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
    (pk: string) => toBackupItem({ pk, sk: 'x', parameters: '{}' }).item === undefined,
    (pk: string) => isIndependent({ pk }),
    (pk: string) => kindsReadEachRound.has(pk),
  ];
  const undecided = [...kinds].filter((pk) => decisions.filter((is) => is(pk)).length !== 1);
  expect(undecided, 'see lib/backup/backup-items.ts and round-partitions.ts').toEqual([]);
});
