import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import * as keys from '../../../lib/table/keys.ts';
import * as partitions from '../../../lib/table/partitions.ts';
import type { Table } from '../../../lib/table/table.ts';
import { knownTags } from '../../../lib/tags/tags.ts';
import { paths, readFeature } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';

const tag = { type: 'simple', value: 'shop' };

/** Keeps the first request that names some key waiting until the others have had time, and lets something happen then. */
function lateRequest({ client }: Table, isMeant: (input: string) => boolean, happens: () => Promise<unknown>) {
  const name = 'late request';
  client.middlewareStack.add(
    (next) => async (args) => {
      if (isMeant(JSON.stringify(args.input)) && client.middlewareStack.remove(name)) {
        await sleep(200);
        await happens();
      }
      return next(args);
    },
    { step: 'initialize', priority: 'high', name },
  );
}

describe('A tag that a feature receives after the features were looked at, but before what is counted', () => {
  test.each([
    ['the tag', `/api/admin/tags/${tag.type}/${tag.value}`, '"sk":"shop"'],
    ['its type', `/api/admin/tag-types/${tag.type}`, `":pk":"${partitions.tags(tag.type).pk}"`],
  ])('keeps %s from being removed', async (_what, path, late) => {
    const service = await freshService();
    const world = new World(service);
    await world.ask('POST', '/api/admin/tags', tag);
    const { name } = await world.feature();
    lateRequest(
      service.table,
      (input) => input.includes(late),
      () => world.ask('POST', paths.tags(name), tag),
    );
    expect(await service.call('DELETE', path)).toMatchObject({ status: 409, body: { name: 'InUseError' } });
    expect(await readFeature(service, name)).toMatchObject({ tags: [tag] });
    expect((await service.get(`/api/admin/tags/${tag.type}/${tag.value}`)).status).toBe(200);
  });
});

test('A tag that is created between the list of the tags of a type and their count goes with the type', async () => {
  const service = await freshService();
  const type = await new World(service).tagType();
  lateRequest(
    service.table,
    (input) => input.includes(keys.tagsMade(type).pk),
    () => service.post('/api/admin/tags', { type, value: 'blue' }),
  );
  expect((await service.call('DELETE', `/api/admin/tag-types/${type}`)).status).toBe(200);
  expect(await knownTags(service.table, type)).toEqual([]);
});
