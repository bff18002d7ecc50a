import { describe, expect, test as plainTest } from 'vitest';
import { bannerView, newBanner } from '../../../lib/banners/banners.ts';
import type { World } from '../../harness/world.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

const path = '/api/admin/banners';
const banner = {
  message: '**Maintenance** tonight',
  enabled: true,
  variant: 'warning',
  sticky: true,
  icon: 'rocket_launch',
  link: 'dialog',
  linkText: 'More',
  dialogTitle: 'Maintenance',
  dialog: 'From *eight* on',
  from: '2026-01-31T20:00:00.000Z',
  to: '2126-01-31T22:00:00.000Z',
};

async function made(world: World, more: object = {}) {
  const { body } = await world.ask('POST', path, { message: world.name('banner'), ...more });
  return { params: { id: body.id as number } };
}

specify('getBanners', { route: 'GET /api/admin/banners', may: 'any token', given: (world) => made(world) });

specify('createBanner', {
  ...openTo('Admin', 'UPDATE_INSTANCE_BANNERS'),
  route: 'POST /api/admin/banners',
  request: () => ({ body: banner }),
  required: ['message'],
  nullable: ['from', 'to'],
  again: 'once more',
});

specify('updateBanner', {
  ...openTo('Admin', 'UPDATE_INSTANCE_BANNERS'),
  route: 'PUT /api/admin/banners/{id}',
  request: async (world) => ({ ...(await made(world)), body: banner }),
  required: ['message'],
  nullable: ['from', 'to'],
  versionAt: 'replies',
});

specify('deleteBanner', {
  ...openTo('Admin', 'UPDATE_INSTANCE_BANNERS'),
  route: 'DELETE /api/admin/banners/{id}',
  request: (world) => made(world),
  again: 404,
  versionAt: 'replies',
});

specify('toggleBannerOff', {
  ...openTo('Admin', 'UPDATE_INSTANCE_BANNERS'),
  route: 'POST /api/admin/banners/{id}/off',
  request: (world) => made(world),
  versionAt: 'replies',
});

specify('toggleBannerOn', {
  ...openTo('Admin', 'UPDATE_INSTANCE_BANNERS'),
  route: 'POST /api/admin/banners/{id}/on',
  request: (world) => made(world, { enabled: false }),
  versionAt: 'replies',
});

test('A banner is there with all of its parts until it is deleted', async ({ service }) => {
  const { body, status } = await service.post(path, banner);
  expect([status, body]).toEqual([
    201,
    { ...banner, id: expect.any(Number), createdAt: expect.any(String), state: 'shown' },
  ]);
  expect((await service.get(path)).body).toEqual({ banners: [body] });
  const { body: changed } = await service.put(`${path}/${body.id}`, { message: 'Done' });
  expect(changed).toEqual({
    ...{ id: body.id, message: 'Done', enabled: true, variant: 'info', sticky: false, state: 'shown' },
    ...{ from: banner.from, to: banner.to, createdAt: body.createdAt },
  });
  expect((await service.post(`${path}/${body.id}/off`)).body).toEqual({ ...changed, enabled: false, state: 'off' });
  await service.call('DELETE', `${path}/${body.id}`);
  expect((await service.get(path)).body).toEqual({ banners: [] });
  const [deleted] = (await service.get('/api/admin/search/events?type=IS:banner-deleted')).body.events;
  expect(deleted.summary).toMatch(/: Banner deleted \*\*Done\*\*$/);
});

test('A link leads to a page or to an address for mail, and runs nothing', async ({ service }) => {
  const statusFor = async (link: string) => (await service.post(path, { message: 'm', link })).status;
  const pages = ['https://a.example/?b#c', 'http://wiki', '/projects', '/a//b?c=/\\d'];
  for (const link of ['', 'dialog', 'mailto:a@example.com', ...pages]) {
    expect(await statusFor(link), link).toBe(201);
  }
  const scripts = ['javascript:alert(1)', 'JavaScript:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)'];
  const hosts = [
    '//evil.example',
    '/\\evil.example',
    '/\\/evil.example',
    '\\\\evil.example',
    '/./..//evil.example',
    '/a/..\\/evil',
  ];
  // Whether these lead to another host depends on the protocol of the page that has the link.
  hosts.push('http:evil.example', 'https:evil.example', 'https:/evil.example', 'http:\\evil.example');
  for (const link of [...scripts, ...hosts, 'data:text/html,x', 'vbscript:x', 'elsewhere', 'https://']) {
    expect(await statusFor(link), link).toBe(400);
  }
});

describe('The times of a banner', () => {
  const [early, from, late, to, over] = [1, 2, 3, 4, 5].map((day) => `2026-01-0${day}T00:00:00.000Z`) as [
    ...[string, string, string, string, string],
  ];
  const [past, future] = ['2001-01-01T00:00:00.000Z', '2101-01-01T00:00:00.000Z'];

  plainTest('let it be shown from the first to before the second, if it is enabled', () => {
    const states = (more: object) =>
      [early, from, late, to, over].map((at) => {
        const { enabled, state } = bannerView(
          newBanner({ message: 'm', enabled: true, ...more } as never, 1, early),
          at,
        );
        expect(enabled).toBe(state === 'shown');
        return state;
      });
    expect(states({ from, to })).toEqual(['scheduled', 'shown', 'shown', 'over', 'over']);
    expect(states({ from })).toEqual(['scheduled', 'shown', 'shown', 'shown', 'shown']);
    expect(states({ to })).toEqual(['shown', 'shown', 'shown', 'over', 'over']);
    expect(new Set(states({ from, to, enabled: false }))).toEqual(new Set(['off']));
  });

  test('are in order', async ({ service }) => {
    for (const times of [
      { from: future, to: past },
      { from: past, to: past },
    ]) {
      expect(await service.post(path, { message: 'm', ...times })).toMatchObject({
        status: 400,
        body: { details: [{ path: 'to' }] },
      });
    }
    const { body } = await service.post(path, { message: 'm', from: future });
    expect((await service.put(`${path}/${body.id}`, { message: 'm', to: past })).status).toBe(400);
  });

  test('stay where a client that knows none sends all back, and go where they are null', async ({ service }) => {
    const { body } = await service.post(path, { message: 'm', from: future });
    expect(body).toMatchObject({ enabled: false, state: 'scheduled', from: future });
    const { from: _from, to: _to, ...shown } = body;
    await service.put(`${path}/${body.id}`, { ...shown, message: 'n' });
    const put = (more: object) => service.put(`${path}/${body.id}`, { message: 'n', ...more });
    expect((await put({ from: null })).body).toMatchObject({ message: 'n', enabled: true, from: null });
    expect((await put({ from: future, enabled: false })).body).toMatchObject({ enabled: false });
    expect((await put({ from: null, enabled: false })).body).toMatchObject({ enabled: false, from: null });
  });

  test('give way to a caller who switches it on', async ({ service }) => {
    const { body: early } = await service.post(path, { message: 'm', from: future });
    expect((await service.post(`${path}/${early.id}/on`)).body).toMatchObject({ enabled: true, from: null, to: null });
    const { body: over } = await service.post(path, { message: 'm', from: past, to: '2002-01-01T00:00:00.000Z' });
    expect((await service.post(`${path}/${over.id}/on`)).body).toMatchObject({ enabled: true, from: past, to: null });
  });
});

test('There are 50 banners at most', async ({ service }) => {
  for (let index = 0; index < 50; index += 1) await service.post(path, { message: `${index}` });
  expect((await service.post(path, { message: 'one more' })).status).toBe(400);
});
