import { describe, expect, test } from 'vitest';
import { serveDelta } from '../../../../lib/delivery/delta/client-delta.ts';
import { readSeed } from '../../../../lib/imports/seed/seed-data.ts';
import { anotherProcess } from '../../../harness/another-process.ts';
import { paths } from '../../../harness/features.ts';
import { stoppedClock } from '../../../harness/stopped-clock.ts';
import { worldForEach } from '../../../specifications/specify.ts';

const seed = readSeed({ projects: [{ id: 'shop', environments: ['development', 'production'] }] });
const { service, world } = worldForEach(seed);

/** The time after which a process has asked the store whether anything has changed. */
const checkedMs = 1_300;
const scope = { projects: ['default'], environment: 'development' };

const poll = (token: string, ifNoneMatch?: string, query = '') =>
  service.get(`/api/client/delta${query}`, {
    token,
    headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch },
  });

/** Asks a process that has just started. */
const askAnew = async (ifNoneMatch: string) => {
  const { text, etag } = await serveDelta(anotherProcess(service.table), scope, { query: {}, ifNoneMatch });
  return { etag, types: JSON.parse(text).events.map(({ type }: { type: string }) => type) };
};

describe('An SDK that polls for changes', () => {
  test('gets everything at first, then what has changed, and 304 while nothing has', async () => {
    const { name } = await world.feature({ on: true });
    await world.feature();
    await world.feature();
    const token = await world.clientToken(scope);
    using clock = stoppedClock();
    const first = await poll(token);
    expect(first.body.events).toMatchObject([{ type: 'hydration', features: [{ name }, {}, {}], segments: [] }]);
    expect(await poll(token, first.headers.etag)).toMatchObject({ status: 304, text: '' });

    await world.ask('POST', paths.off(), { features: [name] });
    clock.pass(checkedMs);
    const second = await poll(token, first.headers.etag);
    expect(second.body.events).toMatchObject([{ type: 'feature-updated', feature: { name, enabled: false } }]);
    expect(await poll(token, second.headers.etag)).toMatchObject({ status: 304 });
  });

  test('hears nothing of another project, of another environment or of a flag that it did not ask for', async () => {
    const { name } = await world.feature({ on: true });
    const token = await world.clientToken(scope);
    using clock = stoppedClock();
    const query = `?namePrefix=${name}`;
    const { etag = '' } = (await poll(token, undefined, query)).headers;
    await world.feature({ project: 'shop', on: true });
    await world.ask('POST', paths.on('production'), { features: [name] });
    await world.feature({ on: true });
    clock.pass(checkedMs);
    expect(await poll(token, etag, query)).toMatchObject({ status: 304, headers: { etag } });
  });

  test('goes on with its tag at a process that has just started, also without quotes as Unleash Edge sends it', async () => {
    const { name } = await world.feature({ on: true });
    const token = await world.clientToken(scope);
    const { etag = '' } = (await poll(token)).headers;
    const bare = etag.replaceAll('"', '');
    expect(await askAnew(etag)).toEqual({ etag, types: [] });
    expect(await askAnew(bare)).toEqual({ etag: bare, types: [] });
    expect(await poll(token, bare)).toMatchObject({ status: 304 });
    await world.ask('POST', paths.off(), { features: [name] });
    expect(await askAnew(etag)).toMatchObject({ types: ['hydration'] });
  });

  test('does not go back to an earlier state when another process is behind', async () => {
    const { name } = await world.feature({ on: true });
    const behind = anotherProcess(service.table);
    const ask = async (ifNoneMatch?: string) => serveDelta(behind, scope, { query: {}, ifNoneMatch });
    await ask();
    await world.ask('POST', paths.off(), { features: [name] });
    const { etag } = await serveDelta(anotherProcess(service.table), scope, { query: {} });
    expect(await ask(etag)).toMatchObject({ etag, text: '{"events":[]}' });
  });

  test('shares its answer with the others that have the same state, or none, so that it is compressed once', async () => {
    const { name } = await world.feature({ on: true });
    const process = anotherProcess(service.table);
    using clock = stoppedClock();
    const ask = (ifNoneMatch?: string) => serveDelta(process, scope, { query: {}, ifNoneMatch });
    const first = await ask();
    expect(await ask('"1:AAAAAAAAAAAAAAAA"')).toBe(first);
    await world.ask('POST', paths.off(), { features: [name] });
    clock.pass(checkedMs);
    const [before, now] = [await ask(first.etag), await ask()];
    expect(await ask(first.etag)).toBe(before);
    expect(await ask('"1:AAAAAAAAAAAAAAAA"')).toBe(now);
    expect([before.etag, now.etag]).not.toContain(first.etag);
  });

  test('gets everything again for a tag that nobody gave it', async () => {
    await world.feature({ on: true });
    const token = await world.clientToken(scope);
    for (const forged of [
      '"1:AAAAAAAAAAAAAAAA"',
      '"999999999999999:AAAAAAAAAAAAAAAA"',
      '"nonsense"',
      'x'.repeat(5_000),
    ]) {
      const { status, body } = await poll(token, forged);
      expect(status).toBe(200);
      expect(body.events).toMatchObject([{ type: 'hydration' }]);
    }
  });
});
