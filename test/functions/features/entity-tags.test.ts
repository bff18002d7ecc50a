import { expect } from 'vitest';
import { paths } from '../../harness/features.ts';
import { test } from '../../specifications/specify.ts';

test('The ETag of a feature stays while nothing changes, and is that of its variants', async ({ service, world }) => {
  const { name } = await world.feature();
  const { etag } = (await service.put(paths.feature(name))).headers;
  expect(etag).toMatch(/^"[1-9]\d*"$/);
  expect((await service.put(paths.feature(name))).headers.etag).toBe(etag);
  expect((await service.get(paths.variants(name))).headers.etag).toBe(etag);
});

test('A feature that does not exist is a 404, whatever version of it a change is bound to', async ({ service }) => {
  const bound = { headers: { 'if-match': '"1"' } };
  const answers = [
    await service.put(paths.feature('missing'), { stale: true }, bound),
    await service.post(paths.strategies('missing'), { name: 'default' }, bound),
    await service.post(paths.tags('missing'), { value: 'blue' }, bound),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});
