import { expect } from 'vitest';
import { serveStreamsHere } from '../../harness/streams.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('streamClientChanges', {
  route: 'GET /api/client/streaming',
  may: 'client tokens',
  given: ({ service }) => serveStreamsHere(service.table),
});

test('An SDK that streams gets its features first, and headers that keep proxies from delaying events', async ({
  service,
  world,
}) => {
  serveStreamsHere(service.table);
  const { name } = await world.feature({ on: true });
  const reply = await service.get('/api/client/streaming', { token: await world.clientToken() });
  expect(reply.text).toMatch(/^event: unleash-connected\nid: \d+:[\w-]{16}\ndata: \{"events":\[\{"type":"hydration"/);
  expect(reply.text).toContain(name);
  expect(reply.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
});
