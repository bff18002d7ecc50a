import { get, post, put, type TimedCall } from '../../harness/http-call.ts';
import { paths } from '../../harness/paths.ts';
import { importCall, variant } from './bodies.ts';
import { freshName, freshNames, times } from './names.ts';
import { benchPaths } from './paths.ts';
import type { MeasuredServer } from './server.ts';
import { readWork, type Workload } from './workload.ts';

const users = 10;
const events = 50;
const archived = 30;
const featuresWithVariants = 30;

/** The operations that change nothing. */
export const readWorkloads: readonly Workload[] = [
  readWork('GET environments', { lists: true }, async (_server, amount) =>
    times(amount, () => get(benchPaths.environments)),
  ),
  readWork(`GET access list (${users} users)`, { lists: true }, async (server, amount) => {
    await server.once('users', () => server.preparation.createUsers(freshNames(users, 'user')));
    return times(amount, () => get(benchPaths.access));
  }),
  readWork(`GET events of a feature (${events})`, { lists: true }, async (server, amount) => {
    const feature = await server.once('feature with events', () => featureWithEvents(server, events));
    return times(amount, () => get(paths.events(feature)));
  }),
  readWork('GET feature', {}, async (server, amount) => {
    const features = await server.once('features with variants', () => createWithVariants(server));
    return times(amount, (index) => get(paths.feature(features[index % features.length] ?? '')));
  }),
  readWork('GET variants', {}, async (server, amount) => {
    const features = await server.once('features with variants', () => createWithVariants(server));
    return times(amount, (index) => get(paths.variants(features[index % features.length] ?? '')));
  }),
  readWork(`GET archive of a project (${archived})`, { lists: true }, (server, amount) =>
    archiveCalls(server, archived, amount),
  ),
  readWork('GET SAML settings', {}, async (server, amount) => {
    await server.once('SAML settings', () => server.preparation.setSamlSettings());
    return times(amount, () => get(benchPaths.samlSettings));
  }),
  readWork('POST validate project', {}, async (_server, amount) =>
    times(amount, () => post(benchPaths.validateProject, { id: freshName('project') })),
  ),
];

/** Creates a feature and changes it until it has so many events. */
export async function featureWithEvents(server: MeasuredServer, amount: number): Promise<string> {
  const name = freshName();
  await server.preparation.createFeatures([name]);
  // One after the other, since all of them change the same feature.
  for (const index of times(amount - 1, (each) => each)) {
    await server.send(put(paths.feature(name), { description: `Description ${index}` }));
  }
  return name;
}

async function createWithVariants(server: MeasuredServer): Promise<string[]> {
  const names = freshNames(featuresWithVariants);
  await server.send(importCall(names.map((name) => ({ name, enabled: false, variants: [variant] }))));
  return names;
}

/** Reads the archive of a project that holds so many features. */
export async function archiveCalls(server: MeasuredServer, size: number, amount: number): Promise<TimedCall[]> {
  const project = await server.once(`archive of ${size}`, () => server.preparation.archiveOf(size));
  return times(amount, () => get(paths.archive(project)));
}
