import { post, put, remove, type TimedCall } from '../../harness/http-call.ts';
import { paths } from '../../harness/paths.ts';
import { importCall, rolloutStrategy, samlCall } from './bodies.ts';
import { freshName, freshNames, slicesOf, times } from './names.ts';
import { benchPaths } from './paths.ts';
import type { MeasuredServer } from './server.ts';
import { type Workload, writeWork } from './workload.ts';

/** Number of features that take turns, so that concurrent callers seldom meet. */
const featuresInTurn = 64;
/** Limit for tags and strategies: more would make each next one dearer than those of real features are. */
const tagsMax = 10;
const strategiesMax = 30;
const bulkSize = 10;
/** Many more would take the preparation longer than all the rest of the work. */
const bulksMax = 50;

/** The operations that change something. */
export const writes: readonly Workload[] = [
  writeWork('POST feature', {}, async (_server, amount) =>
    freshNames(amount).map((name) => post(benchPaths.features, { name, type: 'release', description: name })),
  ),
  writeWork('PUT feature', {}, async (server, amount) => {
    const features = await server.once('features to update', () => createFeatures(server, featuresInTurn));
    return limiter(features, amount, (name) => put(paths.feature(name), { description: freshName('description') }));
  }),
  writeWork('POST tag', {}, async (server, amount) => {
    const features = await createFeatures(server, Math.max(featuresInTurn, amount / tagsMax));
    return limiter(features, amount, (name) => post(paths.tags(name), { type: 'simple', value: freshName('tag') }));
  }),
  writeWork('POST strategy', {}, async (server, amount) => {
    const features = await createFeatures(server, Math.max(featuresInTurn, amount / strategiesMax));
    return limiter(features, amount, (name, index) => post(paths.strategies(name), rolloutStrategy(index % 101)));
  }),
  writeWork('PUT strategy', {}, async (server, amount) => {
    const created = await server.once('strategies to update', () => createStrategies(server, featuresInTurn));
    return limiter(created, amount, ({ feature, id }, index) =>
      put(benchPaths.strategy(feature, id), rolloutStrategy(index % 101, freshName('title'))),
    );
  }),
  writeWork('POST feature on, off', {}, async (server, amount) => {
    const features = await createFeatures(server, featuresInTurn);
    return limiter(features, amount, (name, index) =>
      post(paths.switch(name, Math.floor(index / features.length) % 2 === 0 ? 'on' : 'off'), {}),
    );
  }),
  writeWork('DELETE feature (archive)', { callsMax: 500 }, async (server, amount) => {
    const features = await createFeatures(server, amount);
    return features.map((name) => remove(paths.feature(name)));
  }),
  writeWork('POST default strategy (one)', {}, async (_server, amount) =>
    times(amount, (index) => post(benchPaths.defaultStrategy, rolloutStrategy(index % 101, freshName('title')))),
  ),
  writeWork(`POST bulk off (${bulkSize}, on)`, { callsMax: bulksMax }, async (server, amount) => {
    const features = await server.once('features to switch off', () => createFeatures(server, bulksMax * bulkSize));
    const used = features.slice(0, amount * bulkSize);
    await server.preparation.switchOn(used);
    return slicesOf(used, bulkSize).map(bulkOff);
  }),
  writeWork(`POST bulk off (${bulkSize}, off already)`, {}, async (server, amount) => {
    const features = await server.once('features that stay off', () => createFeatures(server, bulksMax * bulkSize));
    return limiter(slicesOf(features, bulkSize), amount, bulkOff);
  }),
  writeWork('POST import (1 feature, 1 strategy)', {}, async (_server, amount) =>
    freshNames(amount).map((name) => importCall([{ name, enabled: true, strategies: [rolloutStrategy(50)] }])),
  ),
  writeWork(
    'DELETE addon',
    {
      // There may be no more at a time.
      callsMax: 100,
    },
    async (server, amount) => {
      const ids = await server.preparation.createAddons(amount);
      return ids.map((id) => remove(benchPaths.addon(id)));
    },
  ),
  writeWork('POST SAML settings (one)', {}, async (_server, amount) => freshNames(amount, 'entity').map(samlCall)),
  // Last, since a project with many more environments is another one to all other work.
  writeWork('POST environment of a project', { callsMax: 500 }, async (server, amount) => {
    const free = await server.preparation.freeEnvironments(amount);
    return free.map(({ project, environment }) => post(benchPaths.projectEnvironments(project), { environment }));
  }),
];

export async function createFeatures(server: MeasuredServer, amount: number): Promise<string[]> {
  const names = freshNames(Math.ceil(amount));
  await server.preparation.createFeatures(names);
  return names;
}

/** Features with a strategy each. */
async function createStrategies(server: MeasuredServer, amount: number): Promise<{ feature: string; id: string }[]> {
  const features = await createFeatures(server, amount);
  const created = await server.sendAll(features.map((name) => post(paths.strategies(name), rolloutStrategy(50))));
  return (created as { id: string }[]).map(({ id }, index) => ({ feature: features[index] ?? '', id }));
}

/** Returns so many calls, each about the next of some things. */
function limiter<T>(things: readonly T[], amount: number, toCall: (thing: T, index: number) => TimedCall): TimedCall[] {
  return times(Math.ceil(amount / things.length), () => things)
    .flat()
    .slice(0, amount)
    .map(toCall);
}

export function bulkOff(features: readonly string[]): TimedCall {
  return post(paths.off(), { features });
}
