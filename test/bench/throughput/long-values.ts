import { setTimeout as sleep } from 'node:timers/promises';
import { headersOf, post, type TimedCall } from '../../harness/http-call.ts';
import { atMost, type BarVerdict, evaluationMax } from './bars.ts';
import { importCalls, rolloutStrategy } from './bodies.ts';
import { startMeasuredServer } from './local-server.ts';
import { freshName, freshNames, times } from './names.ts';
import { benchEnvironment, benchPaths, project } from './paths.ts';
import type { MeasuredServer } from './server.ts';

/** Name of the rows below for `--only`. */
export const longValuesName = 'evaluation for values of 4 kB, processor time of a call';

const rounds = 5;
/** Time after which a change is served. */
const settleMs = 3_000;
/** The longest value that a context may have. */
const longest = 4_096;

/**
 * Measures evaluations for the longest values, with flags whose constraints take the most: regular expressions at
 * their limit, of which RE2 has to try each at every character, texts that nearly are within the value, and ids to be hashed.
 */
export async function measureLongValues(): Promise<BarVerdict[]> {
  await using local = await startMeasuredServer({ store: 'memory' });
  const { server } = local;
  await fill(server);
  const token = await frontendToken(server);
  const value = 'ab'.repeat(longest / 2);
  const context = { userId: value, properties: { text: 'a'.repeat(longest) } };
  const asked = { environment: benchEnvironment, projects: [project], context: { appName: 'bench', ...context } };
  // As many evaluations as are made at once.
  const many = { appName: 'bench', userId: times(7, (index) => `${index}${value.slice(0, 40)}`).join() };
  const { requestMs, playgroundMs } = evaluationMax;
  const calls: readonly (readonly [string, TimedCall, number])[] = [
    ['POST frontend', { ...post(benchPaths.frontend, { context }), token }, requestMs],
    ['POST OFREP', { ...post(benchPaths.ofrep, { context }), token }, requestMs],
    ['POST playground', post(benchPaths.playground, asked), playgroundMs],
    [
      'POST playground of many contexts',
      post(benchPaths.advancedPlayground, {
        ...asked,
        environment: undefined,
        environments: [benchEnvironment],
        context: many,
      }),
      playgroundMs,
    ],
  ];
  const verdicts: BarVerdict[] = [];
  for (const [name, call, max] of calls) {
    const { milliseconds, status } = await measured(server, call);
    verdicts.push(atMost(milliseconds, max, `${name}, answered ${status}:`, ' ms'));
  }
  return verdicts;
}

/** Returns the mean of some calls after a first one, which compiles what it does; the platform counts in steps of 10 ms. */
async function measured(server: MeasuredServer, call: TimedCall) {
  const time = () => server.processTime()?.server ?? Number.NaN;
  const { method, path, body = null } = call;
  const ask = async () => {
    const reply = await fetch(server.url + path, { method, headers: headersOf(server, call), body });
    await reply.arrayBuffer();
    return reply.status;
  };
  const status = await ask();
  const before = time();
  for (const _round of times(rounds, (each) => each)) await ask();
  return { status, milliseconds: ((time() - before) / rounds) * 1_000 };
}

async function fill(server: MeasuredServer): Promise<void> {
  const expressions = (flag: number) =>
    times(6, (index) => ({
      ...{ contextName: 'userId', operator: 'REGEX', inverted: true },
      value: `[ab]*a[ab]{${400 + index + 6 * (flag % 10)}}[c${String.fromCharCode(100 + flag / 10)}]`,
    }));
  const texts = { contextName: 'text', operator: 'STR_CONTAINS', inverted: true };
  const values = times(250, (index) => `aaa${index}`);
  const features = [
    ...freshNames(40).map((name, flag) => ({ name, constraints: expressions(flag) })),
    ...freshNames(100).map((name) => ({ name, constraints: [{ ...texts, values }] })),
    ...freshNames(2_000).map((name) => ({ name, constraints: [] })),
  ].map(({ name, constraints }) => ({ name, enabled: true, strategies: [{ ...rolloutStrategy(50), constraints }] }));
  for (const call of importCalls(features, server.preparation.importBytesMax)) await server.send(call);
  await sleep(settleMs);
}

async function frontendToken(server: MeasuredServer): Promise<string> {
  const wanted = { tokenName: freshName('token'), type: 'frontend', environment: benchEnvironment, projects: ['*'] };
  return ((await server.send(post(benchPaths.apiTokens, wanted))) as { secret: string }).secret;
}
