import { describe, expect, test } from 'vitest';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('createApplication', {
  route: 'POST /api/admin/metrics/applications/{appName}',
  ...openTo('Editor', 'UPDATE_APPLICATION'),
  takesAnyName: ['appName'],
  request: async (world) => ({
    params: { appName: await world.application() },
    body: {
      description: 'The shop',
      url: 'https://example.com/shop',
      color: 'red',
      icon: 'https://example.com/shop.ico',
      strategies: ['default'],
    },
  }),
  others: {
    'of one that is not known': (world) => ({ params: { appName: world.name('app') }, body: { color: 'blue' } }),
  },
  again: 'nothing',
});

describe('Saying something of an application', () => {
  const { service, world } = sharedWorld();
  const path = (appName: string) => `/api/admin/metrics/applications/${encodeURIComponent(appName)}`;
  const read = async (appName: string) => (await service.get(path(appName))).body;

  test('makes it known, with an event, and leaves alone what is left out', async () => {
    const appName = 'web#shop';
    expect(await service.post(path(appName), { url: 'https://example.com', strategies: ['own'] })).toMatchObject({
      status: 202,
      text: '',
    });
    await service.post(path(appName), { color: 'red' });
    expect(await read(appName)).toEqual({
      appName,
      url: 'https://example.com',
      color: 'red',
      strategies: ['own'],
      droppedParts: 0,
      usage: [],
      createdAt: expect.any(String),
      lastSeen: expect.any(String),
    });
    const events = (await serviceEvents(service.table)).filter(({ type }) => type.startsWith('application'));
    expect(events).toMatchObject([
      { type: 'application-created', createdBy: 'admin', data: { appName, url: 'https://example.com', color: null } },
    ]);
  });

  test('stands beside what its SDKs report, whose strategies take precedence', async () => {
    const appName = await world.application();
    await service.post(path(appName), { icon: 'star', strategies: ['own'] });
    expect(await read(appName)).toMatchObject({ icon: 'star', strategies: ['default'], usage: [{ project: '*' }] });
  });

  test('is refused for a name that is too long for a key', async () => {
    expect((await service.post(path('ü'.repeat(256)), {})).status).toBe(400);
    expect((await service.post(path('😀'.repeat(201)), {})).status).toBe(400);
    expect((await service.post(path('😀'.repeat(200)), {})).status).toBe(202);
  });

  test('takes no address that would run as a script', async () => {
    const answer = await service.post(path('scripted'), { url: 'javascript:alert(1)' });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'url' }] } });
    expect((await service.post(path('scripted'), { url: '' })).status).toBe(202);
  });
});
