import { expect } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('createTagType', {
  route: 'POST /api/admin/tag-types',
  may: ['Admin', 'Editor'],
  needs: ['CREATE_TAG_TYPE'],
  request: (world) => ({
    body: { name: world.name('tag-type'), description: 'Who looks after it', icon: 'T', color: '#FF8800' },
  }),
  required: ['name'],
  nullable: ['description', 'icon', 'color'],
  again: 409,
});

test('A tag type is answered with every field and where it is, recorded, and can be used', async ({ service }) => {
  const answer = await service.post('/api/admin/tag-types', { name: 'team' });
  expect(answer).toMatchObject({ status: 201, headers: { location: '/api/admin/tag-types/team' } });
  expect(answer.body).toEqual({ name: 'team', description: '', icon: null, color: null });
  const [event] = (await serviceEvents(service.table)).slice(-1);
  expect(event).toMatchObject({ type: 'tag-type-created', data: answer.body });
  expect((await service.post('/api/admin/tags', { type: 'team', value: 'shop' })).status).toBe(201);
});

test('A color is # and six hexadecimal digits', async ({ service }) => {
  const create = async (color: string) => (await service.post('/api/admin/tag-types', { name: 'team', color })).status;
  expect(await Promise.all(['FF8800', '#FF880', '#GG8800', 'red'].map(create))).toEqual([400, 400, 400, 400]);
});
