import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { declaredPartitions } from '../../harness/declared-partitions.ts';

test('No two kinds of things share a key: neither two entities, nor an entity and a key of keys.ts', () => {
  const ofKeys = [
    ...readFileSync('lib/store/keys.ts', 'utf8').matchAll(/pk: '([^']+)',\s+sk: (?:'([^']*)'|`([^`$]*))?/g),
  ].map(([, pk, fixed, beginning]) => ({ pk, prefix: fixed ?? beginning ?? '', file: 'lib/store/keys.ts' }));
  const all = [...ofKeys, ...declaredPartitions];
  const shared = declaredPartitions.flatMap((each) =>
    all
      .filter((other) => other !== each && other.pk === each.pk)
      .filter(({ prefix }) => prefix.startsWith(each.prefix) || each.prefix.startsWith(prefix))
      .map((other) => `${each.pk} ${each.prefix} in ${each.file} and ${other.file}`),
  );
  expect(shared).toEqual([]);
  expect(ofKeys.length).toBeGreaterThan(20);
  expect(declaredPartitions.length).toBeGreaterThan(15);
});
