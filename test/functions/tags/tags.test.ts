import { expect } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import * as tagKeys from '../../../lib/tags/keys.ts';
import { writeCounts } from '../../../lib/usage/write-counts.ts';
import { paths, problemPaths } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
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
    key: tagKeys.tag(type, `tag-${index}`),
    set: { amount: 0 },
  }));
  for (let start = 0; start < puts.length; start += 100) {
    await Promise.all(puts.slice(start, start + 100).map((each) => writeCounts(service.table, each)));
  }
  const { status, body } = await service.post('/api/admin/tags', { type, value: 'one more' });
  expect([status, body.message]).toEqual([400, 'At most 5000 tags of one type are allowed.']);
});

test('A tag is answered without what surrounds its value, with where it is', async ({ service }) => {
  const answer = await service.post('/api/admin/tags', { type: 'simple', value: '  a b ' });
  expect(answer).toMatchObject({ status: 201, headers: { location: '/api/admin/tags/simple/a%20b' } });
  expect(answer.body).toEqual({ version: 1, tag: { type: 'simple', value: 'a b', color: '#FFFFFF' } });
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

specify('createTagType', {
  route: 'POST /api/admin/tag-types',
  ...openTo('Editor', 'CREATE_TAG_TYPE'),
  request: (world) => ({
    body: { name: world.name('tag-type'), description: 'Who looks after it', icon: 'T', color: '#FF8800' },
  }),
  required: ['name'],
  nullable: ['description', 'icon', 'color'],
  again: 409,
});

test('A tag type is answered with what is left out, and can be used', async ({ service }) => {
  const { body } = await service.post('/api/admin/tag-types', { name: 'team' });
  expect(body).toEqual({ name: 'team', description: '', icon: null, color: null });
  expect((await service.post('/api/admin/tags', { type: 'team', value: 'shop' })).status).toBe(201);
});

test('A color is # and six hexadecimal digits', async ({ service }) => {
  const create = async (color: string) => (await service.post('/api/admin/tag-types', { name: 'team', color })).status;
  expect(await Promise.all(['FF8800', '#FF880', '#GG8800', 'red'].map(create))).toEqual([400, 400, 400, 400]);
});

specify('deleteTag', {
  route: 'DELETE /api/admin/tags/{type}/{value}',
  unversioned: 'it is there or not, and never changes',
  ...openTo('Editor', 'UPDATE_FEATURE'),
  request: async (world) => {
    const tag = { type: await world.shared('tag type', () => world.tagType()), value: world.name('tag') };
    await world.ask('POST', '/api/admin/tags', tag);
    return { params: tag };
  },
  again: 404,
  // The count is read first, then the projects, and then the tags of their features.
  waits: 4,
  differs: '404 for a tag that is not known; 409 while live features have it, from which Unleash takes it',
});

test('A tag is deleted once no feature has it, and who has it is named until then', async ({ service, world }) => {
  const tag = { type: 'simple', value: 'web/shop' };
  const { name } = await world.feature({ tags: [tag] });
  const remove = () => service.call('DELETE', '/api/admin/tags/simple/web%2Fshop');
  expect(await remove()).toMatchObject({
    status: 409,
    body: { name: 'InUseError', message: `The tag "web/shop" of the type "simple" is in use: the feature "${name}".` },
  });
  await world.ask('DELETE', `${paths.tags(name)}/simple/web%2Fshop`);
  expect(await remove()).toMatchObject({ status: 200, text: '' });
  expect((await service.get('/api/admin/tags')).body.tags).toEqual([]);
  expect((await serviceEvents(service.table)).at(-1)).toMatchObject({ type: 'tag-deleted', preData: tag });
  expect((await service.post('/api/admin/tags', tag)).status).toBe(201);
});

specify('deleteTagType', {
  route: 'DELETE /api/admin/tag-types/{name}',
  ...openTo('Editor', 'DELETE_TAG_TYPE'),
  request: async (world) => {
    const type = await world.tagType();
    await world.ask('POST', '/api/admin/tags', { type, value: world.name('tag') });
    return { params: { name: type } };
  },
  again: 404,
  // The counts are read first, then the tags of the type, the projects, and the tags of their features.
  waits: 5,
  differs: '409 while live features have tags of the type, which Unleash takes from them',
});

test('A tag type is deleted with its tags once no feature, which it names, has one', async ({ service, world }) => {
  const type = await world.tagType();
  const { name } = await world.feature({ tags: [{ type, value: 'shop' }] });
  const remove = () => service.call('DELETE', `/api/admin/tag-types/${type}`);
  expect(await remove()).toMatchObject({ status: 409, body: { name: 'InUseError' } });
  await world.ask('DELETE', `${paths.tags(name)}/${type}/shop`);
  expect(await remove()).toMatchObject({ status: 200, text: '' });
  expect((await service.get(`/api/admin/tags/${type}/shop`)).status).toBe(404);
  expect((await service.post(paths.tags(name), { type, value: 'shop' })).status).toBe(400);
  // A new type of the name begins without tags.
  await world.ask('POST', '/api/admin/tag-types', { name: type });
  expect((await service.get(`/api/admin/tags/${type}`)).body.tags).toEqual([]);
  await world.ask('POST', paths.tags(name), { type, value: 'shop' });
});

specify('getTag', {
  route: 'GET /api/admin/tags/{type}/{value}',
  may: 'any token',
  request: async (world) => {
    const tag = { type: await world.tagType(), value: world.name('tag') };
    await world.ask('POST', '/api/admin/tags', tag);
    return { params: tag };
  },
});

test('A tag is found by its exact type and value, whatever the characters of the value', async ({ service }) => {
  const tag = { type: 'simple', value: 'a b & c?#ü 50%' };
  await service.post('/api/admin/tags', tag);
  const statusOf = async (path: string) => (await service.get(`/api/admin/tags/${path}`)).status;
  expect((await service.get(`/api/admin/tags/simple/${encodeURIComponent(tag.value)}`)).body).toEqual({
    version: 1,
    tag: { ...tag, color: '#FFFFFF' },
  });
  expect(await statusOf('simple/a')).toBe(404);
  expect(await statusOf(`missing/${encodeURIComponent(tag.value)}`)).toBe(404);
});

specify('getTagType', {
  route: 'GET /api/admin/tag-types/{name}',
  may: 'any token',
  request: async (world) => ({ params: { name: await world.tagType() } }),
});

test('A tag type is answered as Unleash documents it, and as its UI reads it', async ({ service }) => {
  const { tagTypes } = (await service.get('/api/admin/tag-types')).body;
  expect((await service.get('/api/admin/tag-types/simple')).body).toEqual({
    ...tagTypes[0],
    version: 1,
    tagType: tagTypes[0],
  });
});

specify('getTagTypes', { route: 'GET /api/admin/tag-types', may: 'any token' });

test('Every store has the tag type simple; others are listed with it', async () => {
  const service = await freshService(readSeed({ tagTypes: [{ name: 'team', icon: 'T', color: '#FF8800' }] }));
  expect((await service.get('/api/admin/tag-types')).body).toEqual({
    version: 1,
    tagTypes: [
      { name: 'simple', description: expect.any(String), icon: '#', color: '#FFFFFF' },
      { name: 'team', description: '', icon: 'T', color: '#FF8800' },
    ],
  });
});

specify('getTags', {
  route: 'GET /api/admin/tags',
  may: 'any token',
  given: async (world) => world.feature({ tags: [{ type: await world.tagType(), value: world.name('tag') }] }),
  // The types are asked for first, and then the tags of all of them.
  waits: 2,
});

test('Tags of all types are listed, each once, with the color of its type', async ({ service, world }) => {
  const team = await world.tagType({ color: '#FF8800' });
  const tags = [
    { type: team, value: 'shop' },
    { type: 'simple', value: 'new' },
  ];
  for (const _ of [1, 2]) await world.feature({ tags });
  await service.post('/api/admin/tags', { type: 'simple', value: 'created alone' });
  expect((await service.get('/api/admin/tags')).body).toEqual({
    version: 1,
    tags: [
      { type: 'simple', value: 'created alone', color: '#FFFFFF' },
      { type: 'simple', value: 'new', color: '#FFFFFF' },
      { type: team, value: 'shop', color: '#FF8800' },
    ],
  });
});

specify('getTagsByType', {
  route: 'GET /api/admin/tags/{type}',
  may: 'any token',
  request: async (world) => {
    const type = await world.tagType();
    await world.feature({ tags: [{ type, value: world.name('tag') }] });
    return { params: { type } };
  },
  takesAnyName: ['type'],
});

test('The tags of a type are listed by value, and those of an unknown type are none', async ({ service, world }) => {
  const type = await world.tagType();
  for (const value of ['two', 'one']) await service.post('/api/admin/tags', { type, value });
  const listed = async (name: string) => (await service.get(`/api/admin/tags/${name}`)).body;
  expect(await listed(type)).toEqual({
    version: 1,
    tags: [
      { type, value: 'one', color: null },
      { type, value: 'two', color: null },
    ],
  });
  expect(await listed('missing')).toEqual({ version: 1, tags: [] });
});

specify('updateTagType', {
  route: 'PUT /api/admin/tag-types/{name}',
  ...openTo('Editor', 'UPDATE_TAG_TYPE'),
  request: async (world) => ({
    params: { name: await world.tagType() },
    body: { description: 'Who looks after it', icon: 'T', color: '#FF8800' },
  }),
  nullable: ['description', 'icon', 'color'],
});

test('An update of a tag type changes what it names and keeps the rest; null clears', async ({ service, world }) => {
  const name = await world.tagType({ description: 'As it was', icon: 'T' });
  const read = async () => (await service.get(`/api/admin/tag-types/${name}`)).body.tagType;
  expect(await service.put(`/api/admin/tag-types/${name}`, { color: '#FF8800' })).toMatchObject({
    status: 200,
    text: '',
  });
  expect(await read()).toEqual({ name, description: 'As it was', icon: 'T', color: '#FF8800' });
  await service.put(`/api/admin/tag-types/${name}`, { description: null, icon: null, color: null });
  expect(await read()).toEqual({ name, description: '', icon: null, color: null });
});

specify('validateTagType', {
  route: 'POST /api/admin/tag-types/validate',
  may: 'any token',
  request: (world) => ({
    body: { name: world.name('tag-type'), description: 'Who looks after it', icon: 'T', color: '#FF8800' },
  }),
  required: ['name'],
  nullable: ['description', 'icon', 'color'],
});

test('A name of a tag type is a 409 in use and a 400 as none; a good type is answered', async ({ service }) => {
  const validate = (name: string) => service.post('/api/admin/tag-types/validate', { name });
  expect((await validate('simple')).status).toBe(409);
  expect((await validate('a b')).status).toBe(400);
  expect((await validate('team')).body).toEqual({ valid: true, tagType: { name: 'team' } });
});
