import { expect, test } from 'vitest';
import { problemPaths } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('createTag', {
  route: 'POST /api/admin/tags',
  unversioned: 'it is there or not, and never changes',
  may: 'any token',
  request: async (world) => ({ body: { value: world.name('tag'), type: await world.tagType() } }),
  required: ['value', 'type'],
  again: 409,
});

test('A tag is answered without what surrounds its value, with where it is, and recorded', async () => {
  const service = await freshService();
  const answer = await service.post('/api/admin/tags', { type: 'simple', value: '  a b ' });
  expect(answer).toMatchObject({ status: 201, headers: { location: '/api/admin/tags/simple/a%20b' } });
  expect(answer.body).toEqual({ version: 1, tag: { type: 'simple', value: 'a b', color: '#FFFFFF' } });
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'tag-created',
    data: { type: 'simple', value: 'a b' },
  });
});

test('A tag that a feature has is known already', async () => {
  const service = await freshService();
  const tag = { type: 'simple', value: 'taken' };
  await new World(service).feature({ tags: [tag] });
  expect(await service.post('/api/admin/tags', tag)).toMatchObject({ status: 409, body: { name: 'NameExistsError' } });
});

test('A value has 2 to 50 characters, and its type must exist', async () => {
  const service = await freshService();
  const create = (value: string, type = 'simple') => service.post('/api/admin/tags', { value, type });
  for (const value of [' a ', '    ', 'x'.repeat(51)]) expect(problemPaths(await create(value))).toEqual(['value']);
  expect(problemPaths(await create('value', 'missing'))).toEqual(['type']);
  expect((await create(` ${'x'.repeat(50)} `)).status).toBe(201);
});

test('Of ten equal requests at the same time one creates the tag', async () => {
  const service = await freshService();
  const tag = { type: 'simple', value: 'at once' };
  const answers = await Promise.all(Array.from({ length: 10 }, () => service.post('/api/admin/tags', tag)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
  expect((await serviceEvents(service.table)).filter(({ type }) => type === 'tag-created')).toHaveLength(1);
});
