import { describe, expect, test } from 'vitest';
import { sharedWorld } from '../../specifications/specify.ts';

describe('A read of the admin API', () => {
  const { service, world } = sharedWorld();
  const read = (path: string, etag?: string) =>
    service.call('GET', path, etag === undefined ? {} : { headers: { 'if-none-match': etag } });

  test.each([
    '/api/admin/segments',
    '/api/admin/context',
    '/api/admin/tag-types/simple',
    '/api/admin/strategies/default',
    '/api/admin/projects',
    '/api/admin/environments/development',
    '/api/admin/projects/default/overview',
    '/api/admin/projects/default/access',
    '/api/admin/auth/saml/settings',
  ])('of %s gets a 304 if the caller already has the reply', async (path) => {
    const { status, headers } = await read(path);
    expect(status).toBe(200);
    expect(headers.etag).toMatch(/^(W\/)?"[\w-]+"$/);
    const again = await read(path, headers.etag);
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(again.headers.etag).toBe(headers.etag);
    expect((await read(path, '"other"')).status).toBe(200);
  });

  test('of a project has a new ETag when its features change, but If-Match still accepts the old one', async () => {
    const projectId = await world.project();
    const path = `/api/admin/projects/${projectId}/overview`;
    const { etag } = (await read(path)).headers;
    await world.feature({ project: projectId });
    expect((await read(path, etag)).status).toBe(200);
    const headers = { 'if-match': String(etag) };
    const update = await service.put(`/api/admin/projects/${projectId}`, { name: 'Shop' }, { headers });
    expect(update.status, update.text).toBe(200);
  });

  test('of a list has a new ETag when an entry changes, is added or removed', async () => {
    const path = '/api/admin/segments';
    const etags = [(await read(path)).headers.etag];
    const note = async () => etags.push((await read(path)).headers.etag);
    const { id, name } = await world.segment();
    await note();
    await world.ask('PUT', `${path}/${id}`, { name, description: 'another', constraints: [] });
    await note();
    await world.strategy(await world.feature(), { name: 'default', segments: [(await world.segment()).id] });
    await note();
    expect(new Set(etags).size).toBe(etags.length);
    await world.ask('DELETE', `${path}/${id}`);
    expect((await read(path, etags.at(-1))).status).toBe(200);
  });
});
