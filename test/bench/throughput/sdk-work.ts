import { setTimeout as sleep } from 'node:timers/promises';
import { get, headersOf, post, type TimedCall } from '../../harness/http-call.ts';
import { importCalls } from './bodies.ts';
import { realisticFlags } from './flags.ts';
import { freshName, freshNames, slicesOf, times } from './names.ts';
import { benchEnvironment, benchPaths } from './paths.ts';
import type { MeasuredServer } from './server.ts';
import { readWork, type Workload, writeWork } from './workload.ts';

const few = 1_000;
const many = 5_000;
const reported = 20;

/** Time after which every server serves a change. */
const settleMs = 3_000;

/** Requests of SDKs, and the lists of people, with so many features and no others. */
export const sdkWorks: readonly Workload[] = [
  notModified(few),
  allFeatures(few),
  evaluatedFlags(few),
  writeWork(`POST metrics of ${reported} flags`, { lists: true, ratioMin: 3.5 }, async (server, amount) => {
    const features = (await only(server, few)).slice(0, reported);
    const token = await clientToken(server);
    return times(amount, (index) => ({ ...post(benchPaths.clientMetrics, metricsOf(features, index)), token }));
  }),
  writeWork('POST register', { lists: true, ratioMin: 2.2 }, async (server, amount) => {
    const token = await clientToken(server);
    return freshNames(amount, 'instance').map((instanceId) => ({
      ...post(benchPaths.clientRegister, registrationOf(instanceId)),
      token,
    }));
  }),
  readWork(`GET features of a project (${few})`, { lists: true }, async (server, amount) => {
    await only(server, few);
    const call = get(benchPaths.features);
    return times(amount, () => call);
  }),
  notModified(many),
  allFeatures(many),
  readWork(`GET search in ${many}, first page`, { lists: true, p50Max: 62 }, async (server, amount) => {
    await only(server, many);
    const call = get(benchPaths.search);
    return times(amount, () => call);
  }),
];

/** Returns the poll of an SDK that has everything already: ten thousand a second on one processor. */
export function notModified(size: number): Workload {
  return readWork(`GET client features of ${size}, 304`, { lists: true, processorMax: 100 }, async (server, amount) => {
    const call = await clientCall(server, size);
    const { headers } = await fetch(server.url + call.path, { headers: headersOf(server, call) });
    const known = { ...call.headers, 'if-none-match': headers.get('etag') ?? '' };
    const poll: TimedCall = { ...call, headers: known, status: 304 };
    return times(amount, () => poll);
  });
}

/** Returns the request of a page: each is of another user, and its answer compressed, as browsers ask for it. */
export function evaluatedFlags(size: number): Workload {
  return readWork(`GET frontend of ${size} flags`, { lists: true, ratioMin: 2.5 }, async (server, amount) => {
    await only(server, size);
    const token = await server.once('frontend token', () => createToken(server, 'frontend'));
    const headers = { 'accept-encoding': 'gzip' };
    const callOf = (index: number) => get(`${benchPaths.frontend}?userId=${index}&sessionId=s-${index}&appName=bench`);
    return times(amount, (index) => ({ ...callOf(index), headers, token }));
  });
}

export function allFeatures(size: number): Workload {
  return readWork(`GET client features of ${size}`, { lists: true, ratioMin: 15 }, async (server, amount) => {
    const call = await clientCall(server, size);
    return times(amount, () => call);
  });
}

async function clientCall(server: MeasuredServer, size: number): Promise<TimedCall> {
  await only(server, size);
  const headers = { 'accept-encoding': 'gzip', 'unleash-client-spec': '5.2.0' };
  return { ...get(benchPaths.clientFeatures), headers, token: await clientToken(server) };
}

/** Size that bounds the work of one request at the store, however large its body may be. */
const importSize = 1_000;

/** Sees to it that there are so many live features and no others, as services have them. */
function only(server: MeasuredServer, size: number): Promise<string[]> {
  return server.once(`no features but ${size}`, async () => {
    await server.preparation.archiveAll();
    const names = freshNames(size);
    for (const chunk of slicesOf(realisticFlags(names), importSize)) {
      for (const call of importCalls(chunk, server.preparation.importBytesMax)) await server.send(call);
    }
    await sleep(settleMs);
    return names;
  });
}

function clientToken(server: MeasuredServer): Promise<string> {
  return server.once('client token', () => createToken(server, 'client'));
}

async function createToken(server: MeasuredServer, type: 'client' | 'frontend'): Promise<string> {
  const token = { tokenName: freshName('token'), type, environment: benchEnvironment, projects: ['*'] };
  const { secret } = (await server.send(post(benchPaths.apiTokens, token))) as { secret: string };
  return secret;
}

function metricsOf(features: readonly string[], index: number) {
  const stop = new Date().toISOString();
  const counts = { yes: index % 10, no: 1, variants: {} };
  const toggles = Object.fromEntries(features.map((name) => [name, counts]));
  return { appName: 'bench', instanceId: `instance-${index % 100}`, bucket: { start: stop, stop, toggles } };
}

function registrationOf(instanceId: string) {
  const started = new Date().toISOString();
  const strategies = ['default', 'flexibleRollout', 'userWithId'];
  return { appName: 'bench', instanceId, sdkVersion: 'unleash-node-sdk:6.12.1', strategies, started, interval: 60_000 };
}
