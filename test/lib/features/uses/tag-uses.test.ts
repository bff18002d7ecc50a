import { describe, expect, test } from 'vitest';
import * as tagKeys from '../../../../lib/tags/keys.ts';
import { listKnownTags } from '../../../../lib/tags/tags.ts';
import { paths, readFeature } from '../../../harness/features.ts';
import { lateRequest } from '../../../harness/late-request.ts';
import { freshService } from '../../../harness/service.ts';
import { World } from '../../../harness/world.ts';

const tag = { type: 'simple', value: 'shop' };

describe('A tag that a feature receives while the removal of the tag reads', () => {
  test.each([
    ['the tag', `/api/admin/tags/${tag.type}/${tag.value}`, '"sk":"shop"'],
    ['its type', `/api/admin/tag-types/${tag.type}`, `":pk":"${tagKeys.tags(tag.type).pk}"`],
  ])('keeps %s from being removed', async (_what, path, late) => {
    const service = await freshService();
    const world = new World(service);
    await world.ask('POST', '/api/admin/tags', tag);
    const { name } = await world.feature();
    lateRequest(service.table, late, () => world.ask('POST', paths.tags(name), tag));
    expect(await service.call('DELETE', path)).toMatchObject({ status: 409, body: { name: 'InUseError' } });
    expect(await readFeature(service, name)).toMatchObject({ tags: [tag] });
    expect((await service.get(`/api/admin/tags/${tag.type}/${tag.value}`)).status).toBe(200);
  });
});

test('A tag that is created before the tags of its type are counted is deleted with the type', async () => {
  const service = await freshService();
  const type = await new World(service).tagType();
  const create = () => service.post('/api/admin/tags', { type, value: 'blue' });
  lateRequest(service.table, tagKeys.tagsEverCreated(type).pk, create);
  expect((await service.call('DELETE', `/api/admin/tag-types/${type}`)).status).toBe(200);
  expect(await listKnownTags(service.table, type)).toEqual([]);
});
