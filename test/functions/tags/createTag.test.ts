import { expect } from 'vitest';
import * as keys from '../../../lib/store/keys.ts';
import { tally } from '../../../lib/store/transactions/tally.ts';
import { problemPaths } from '../../harness/features.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

specify('createTag', {
  route: 'POST /api/admin/tags',
  unversioned: 'it is there or not, and never changes',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => ({ body: { value: world.name('tag'), type: await world.tagType() } }),
  required: ['value', 'type'],
  again: 409,
  differs:
    'Needs UPDATE_FEATURE in some project, where any token will do on Unleash, and a type has at most 5,000 tags',
});

test('A type has a limit of tags that are made before a feature has them', async ({ service, world }) => {
  const type = await world.tagType();
  const puts = Array.from({ length: 5_000 }, (_, index) => ({
    key: keys.tag(type, `tag-${index}`),
    set: { amount: 0 },
  }));
  for (let start = 0; start < puts.length; start += 100) {
    await Promise.all(puts.slice(start, start + 100).map((each) => tally(service.table, each)));
  }
  const { status, body } = await service.post('/api/admin/tags', { type, value: 'one more' });
  expect([status, body.message]).toEqual([400, 'At most 5000 tags of one type are allowed.']);
});

test('A tag is answered without what surrounds its value, with where it is, and recorded', async ({ service }) => {
  const answer = await service.post('/api/admin/tags', { type: 'simple', value: '  a b ' });
  expect(answer).toMatchObject({ status: 201, headers: { location: '/api/admin/tags/simple/a%20b' } });
  expect(answer.body).toEqual({ version: 1, tag: { type: 'simple', value: 'a b', color: '#FFFFFF' } });
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({
    type: 'tag-created',
    data: { type: 'simple', value: 'a b' },
  });
});

test('A tag that a feature has is known already', async ({ service, world }) => {
  const tag = { type: 'simple', value: 'taken' };
  await world.feature({ tags: [tag] });
  expect(await service.post('/api/admin/tags', tag)).toMatchObject({ status: 409, body: { name: 'NameExistsError' } });
});

test('A value has 2 to 50 characters, and its type must exist', async ({ service }) => {
  const create = (value: string, type = 'simple') => service.post('/api/admin/tags', { value, type });
  for (const value of [' a ', '    ', 'x'.repeat(51)]) expect(problemPaths(await create(value))).toEqual(['value']);
  expect(problemPaths(await create('value', 'missing'))).toEqual(['type']);
  expect((await create(` ${'x'.repeat(50)} `)).status).toBe(201);
});

test('Of ten equal requests at the same time one creates the tag', async ({ service }) => {
  const tag = { type: 'simple', value: 'at once' };
  const answers = await Promise.all(Array.from({ length: 10 }, () => service.post('/api/admin/tags', tag)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
  expect((await serviceEvents(service.table)).filter(({ type }) => type === 'tag-created')).toHaveLength(1);
});
