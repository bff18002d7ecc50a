import { describe, expect } from 'vitest';
import { test, worldForEach } from '../../specifications/specify.ts';

const rollout = (stickiness: string, share = '50', more: object = {}) => ({
  on: true,
  strategies: [{ name: 'flexibleRollout', parameters: { rollout: share, stickiness }, ...more }],
});

const namesOf = (flags: readonly { readonly name: string }[]) => flags.map(({ name }) => name);

describe('A request without any id', () => {
  const { service, world } = worldForEach();

  /** Returns a question to all that evaluate, for a context of no ids: the names of the features that are on. */
  async function askersAbout(project: string): Promise<readonly (readonly [string, () => Promise<string[]>])[]> {
    const frontend = { token: await world.frontendToken({ projects: [project] }) };
    const client = { token: await world.clientToken({ projects: [project] }) };
    const asked = { environment: 'development', projects: [project], context: { appName: 'web' } };
    return [
      ['frontend', async () => namesOf((await service.post('/api/frontend', { context: {} }, frontend)).body.toggles)],
      [
        'OFREP',
        async () => {
          const { flags } = (await service.post('/ofrep/v1/evaluate/flags', {}, client)).body;
          return flags.flatMap(({ key, value }: { key: string; value: boolean }) => (value ? [key] : []));
        },
      ],
      [
        'playground',
        async () => {
          const { features } = (await world.ask('POST', '/api/admin/playground', asked)).body;
          return namesOf(features.filter(({ isEnabled }: { isEnabled: boolean }) => isEnabled));
        },
      ],
    ];
  }

  test('gets flags that agree with each other, whatever they stick to', async () => {
    const project = await world.project();
    const families: { parent: string; child: string; rival: string }[] = [];
    for (const stickiness of ['default', 'sessionId', 'random']) {
      const { name: parent } = await world.feature({ project, ...rollout(stickiness) });
      const { name: child } = await world.feature({ project, ...rollout('default', '100'), parents: [parent] });
      const { name: rival } = await world.feature({ project, ...rollout('default', '100') });
      const path = `/api/admin/projects/${project}/features/${rival}/dependencies`;
      await world.ask('POST', path, { feature: parent, enabled: false });
      families.push({ parent, child, rival });
    }
    for (const [asker, ask] of await askersAbout(project)) {
      const seen = new Set<string>();
      for (let repetition = 0; repetition < 25; repetition += 1) {
        const on = new Set(await ask());
        for (const { parent, child, rival } of families) {
          expect([on.has(child), on.has(rival)], asker).toEqual([on.has(parent), !on.has(parent)]);
          seen.add(`${parent} ${on.has(parent)}`);
        }
      }
      expect(seen.size, asker).toBe(6);
    }
  });

  test('has a random session, so that a rollout by session reaches it', async () => {
    const project = await world.project();
    const { name } = await world.feature({ project, ...rollout('sessionId', '100') });
    const type = 'gradualRolloutSessionId';
    await world.ask('POST', '/api/admin/strategies', { name: type, parameters: [] });
    const strategies = [{ name: type, parameters: { percentage: '100', groupId: 'a' } }];
    const { name: older } = await world.feature({ project, on: true, strategies });
    await world.feature({ project, ...rollout('userId', '100') });
    for (const [asker, ask] of await askersAbout(project)) expect(await ask(), asker).toEqual([name, older]);
  });
});

test('A session among the properties is the session of a request', async ({ service, world }) => {
  const { name } = await world.feature(rollout('default'));
  const token = await world.frontendToken();
  const isOn = async (context: object) => {
    const { body } = await service.post('/api/frontend', { context }, { token });
    return body.toggles.some((toggle: { name: string }) => toggle.name === name);
  };
  for (const sessionId of ['s-1', 's-2', 's-3', 's-4', 's-5', 's-6']) {
    expect(await isOn({ properties: { sessionId } })).toBe(await isOn({ sessionId }));
  }
});
