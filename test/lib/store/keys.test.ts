import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { declaredPartitions, keyFiles } from '../../harness/declared-partitions.ts';

test('No two kinds of things share a key: neither two entities, nor an entity and a key in a keys.ts', () => {
  const ofKeys = [...keyFiles].flatMap(([file, text]) =>
    [...text.matchAll(/itemKey\(\s*'([^']+)',\s+(?:'([^']*)'|`([^`$]*))?/g)].map(([, pk, fixed, beginning]) => {
      return { pk, prefix: fixed ?? beginning ?? '', file };
    }),
  );
  const all = [...ofKeys, ...declaredPartitions];
  const shared = declaredPartitions.flatMap((each) =>
    all
      .filter((other) => other !== each && other.pk === each.pk)
      .filter(({ prefix }) => prefix.startsWith(each.prefix) || each.prefix.startsWith(prefix))
      .map((other) => `${each.pk} ${each.prefix} in ${each.file} and ${other.file}`),
  );
  expect(shared).toEqual([]);
  const kinds = globSync('lib/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/entity<.*>\(\{\n {2}kind: '([^']+)'/g)].map(([, kind]) => kind),
  );
  expect(kinds.toSorted()).toEqual([...new Set(kinds)].toSorted());
  expect(kinds.length).toBeGreaterThan(15);
  expect(ofKeys.length).toBeGreaterThan(20);
  expect(declaredPartitions.length).toBeGreaterThan(15);
});
