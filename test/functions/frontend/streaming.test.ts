import { expect } from 'vitest';
import { hashOf } from '../../../lib/identity/tokens/token.ts';
import { paths } from '../../harness/features.ts';
import { serveStreamsHere } from '../../harness/streams.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('streamFlagSignals', {
  route: 'GET /ofrep/v1/events/{streamId}',
  may: 'anyone',
  request: async (world) => {
    serveStreamsHere(world.service.table);
    const authorization = await world.frontendToken();
    return { params: { streamId: hashOf(authorization) }, headers: { authorization } };
  },
  waits: 4,
});

test('A provider learns the path of its stream, which contains no secret, where streams are served', async ({
  service,
  world,
}) => {
  const token = await world.frontendToken();
  const evaluate = () => service.post('/ofrep/v1/evaluate/flags', { context: { targetingKey: '7' } }, { token });
  expect((await evaluate()).body.eventStreams).toBeUndefined();
  serveStreamsHere(service.table);
  const [stream] = (await evaluate()).body.eventStreams;
  expect(stream).toMatchObject({ type: 'sse', inactivityDelaySec: 120 });
  const { requestUri } = stream.endpoint;
  expect(requestUri).toBe(`/ofrep/v1/events/${hashOf(token)}`);
  const origin = 'https://shop.example.com';
  const reply = await service.get(requestUri, { token: null, headers: { origin } });
  expect(reply).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': '*' } });
});

test('The id of a stream opens nothing if its token is unknown, or is of a person', async ({ service, world }) => {
  serveStreamsHere(service.table);
  for (const id of ['0'.repeat(64), 'x', hashOf(service.adminToken), hashOf(await world.token())])
    expect(await service.get(`/ofrep/v1/events/${id}`, { token: null })).toMatchObject({ status: 404 });
});

test('After a signal, a provider gets a state that is not older, whichever process answers', async ({
  service,
  world,
}) => {
  serveStreamsHere(service.table);
  const { name } = await world.feature({ on: true });
  const token = await world.frontendToken();
  const evaluate = async (query: string) => {
    const body = { context: { targetingKey: '7' } };
    const reply = await service.post(`/ofrep/v1/evaluate/flags${query}`, body, { token });
    return reply.body.flags.find(({ key }: { readonly key: string }) => key === name)?.value;
  };
  expect(await evaluate('')).toBe(true);
  await world.ask('POST', paths.off(), { features: [name] });
  // This process may not have looked at the store since, and the revision is that of another one.
  expect(await evaluate(`?flagConfigEtag=${encodeURIComponent(`999999:${'x'.repeat(16)}`)}`)).toBe(false);
  expect(await evaluate('?flagConfigEtag=nonsense')).toBe(false);
});
