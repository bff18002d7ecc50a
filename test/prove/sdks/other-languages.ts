import { join } from 'node:path';
import { type Driver, drivers, startDriver } from './driver.ts';
import type { Flags } from './flags.ts';
import { changeMs, Promises } from './promises.ts';
import { proveServerSdk, type ServerSdk } from './server-sdk.ts';
import { installJava, installPython, type Workshop } from './tools.ts';

/** The official SDK of Java. */
export async function proveJavaSdk(flags: Flags, application: string, workshop: Workshop): Promise<Promises> {
  const folder = await installJava(workshop);
  return proveServerSdk(flags, {
    title: 'unleash-client-java',
    application,
    start(token, name = 'prove-wrong') {
      const args = ['-cp', join(folder, '*'), join(drivers, 'UnleashClientJava.java'), flags.url, token, name];
      return sdkOf(startDriver('java', args, workshop.env));
    },
  });
}

/** The official SDK of Python. */
export async function provePythonSdk(flags: Flags, application: string, workshop: Workshop): Promise<Promises> {
  const python = await installPython(workshop);
  return proveServerSdk(flags, {
    title: 'UnleashClient of Python',
    application,
    start(token, name = 'prove-wrong') {
      return sdkOf(startDriver(python, [join(drivers, 'unleash_client.py'), flags.url, token, name], workshop.env));
    },
  });
}

function sdkOf(driver: Driver): ServerSdk {
  return {
    isReady: async () => (await driver.ask({ ask: 'ready' })) === true,
    isEnabled: async (flag, context) => (await driver.ask({ ask: 'enabled', flag, context })) === true,
    payload: (flag, context) => driver.ask({ ask: 'payload', flag, context }),
    unchanged: async () => Number(await driver.ask({ ask: 'unchanged' })),
    errors: async () => (await driver.ask({ ask: 'errors' })) as string[],
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
}

/** The provider of OpenFeature for Python: a request for each flag. */
export async function provePythonProvider(flags: Flags, workshop: Workshop): Promise<Promises> {
  const promises = new Promises('OpenFeature, Python provider');
  const python = await installPython(workshop);
  const start = (token: string) =>
    startDriver(python, [join(drivers, 'ofrep_provider.py'), flags.url, token], workshop.env);
  await using driver = start(await flags.token('client'));
  const context = { targetingKey: '7', country: 'NZ' };
  const detailsOf = async (ask: string, flag: string, otherwise: unknown, sent: object = context) =>
    (await driver.ask({ ask, flag, default: otherwise, context: sent })) as { value: unknown; error: string | null };
  const answerOf = async (...asked: Parameters<typeof detailsOf>) => (await detailsOf(...asked)).value;
  promises.same('boolean', await answerOf('boolean', 'plain', false), true);
  promises.same('targeted', await answerOf('boolean', 'targeted', false), true);
  promises.same('not targeted', await answerOf('boolean', 'targeted', true, { targetingKey: '8' }), false);
  promises.same('regional', await answerOf('boolean', 'regional', false), true);
  promises.same('string', await answerOf('string', 'text', 'red'), 'blue');
  promises.same('number', await answerOf('number', 'number', 0), 42);
  promises.same('object', await answerOf('object', 'json', {}), { color: 'blue' });
  const missing = await detailsOf('boolean', 'missing', true);
  promises.same('unknown', [missing.value, missing.error], [true, 'FLAG_NOT_FOUND']);
  const wanted = await flags.flip();
  const isSeen = async () => (await answerOf('boolean', 'switched', !wanted)) === wanted;
  await promises.within(changeMs, 'a change is seen', isSeen);
  await using refused = start('wrong');
  const answer = (await refused.ask({ ask: 'boolean', flag: 'plain', default: false, context })) as typeof missing;
  promises.same('a wrong token is said', [answer.value, answer.error], [false, 'GENERAL']);
  return promises;
}
