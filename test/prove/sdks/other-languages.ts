import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Driver, drivers, startDriver } from './driver.ts';
import type { Flags } from './flags.ts';
import { type OpenFeatureSdk, proveProvider } from './open-feature.ts';
import type { Promises } from './promises.ts';
import { proveServerSdk, type ServerSdk } from './server-sdk.ts';
import { buildGo, installJava, installPython, type Workshop } from './tools.ts';

/** Starts an official SDK, which reports under the name of an application. */
export type StartAt = (url: string, token: string, application: string) => ServerSdk;

/** The official SDKs of other languages; each is installed first. */
export const otherSdks: Readonly<Record<'Python' | 'Java' | 'Go', (workshop: Workshop) => Promise<StartAt>>> = {
  async Python(workshop) {
    const python = await installPython(workshop);
    return (...args) => sdkOf(startDriver(python, [join(drivers, 'unleash_client.py'), ...args], workshop.env));
  },
  async Java(workshop) {
    const classPath = join(await installJava(workshop), '*');
    const program = join(drivers, 'UnleashClientJava.java');
    return (...args) => sdkOf(startDriver('java', ['-cp', classPath, program, ...args], workshop.env));
  },
  async Go(workshop) {
    const program = await buildGo(workshop, readFileSync(join(drivers, 'unleash_client.go'), 'utf8'));
    return (...args) => sdkOf(startDriver(program, args, workshop.env));
  },
};

/** Returns the proof of the official SDK of a language. */
export const proveSdkOf =
  (language: keyof typeof otherSdks) =>
  async (flags: Flags, application: string, workshop: Workshop): Promise<Promises> => {
    const startAt = await otherSdks[language](workshop);
    return proveServerSdk(flags, {
      title: `SDK of ${language}`,
      application,
      start: (token, name = 'prove-wrong') => startAt(flags.url, token, name),
    });
  };

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

/** Proves the OpenFeature provider for Python. */
export async function provePythonProvider(flags: Flags, workshop: Workshop): Promise<Promises> {
  const python = await installPython(workshop);
  return proveProvider(flags, 'OpenFeature, Python provider', null, async (token) =>
    providerOf(startDriver(python, [join(drivers, 'ofrep_provider.py'), flags.url, token], workshop.env)),
  );
}

/** Proves the OpenFeature provider for Java. */
export async function proveJavaProvider(flags: Flags, workshop: Workshop): Promise<Promises> {
  const folder = await installJava(workshop);
  return proveProvider(flags, 'OpenFeature, Java provider', 'FLAG_NOT_FOUND', async (token) => {
    const args = ['-cp', join(folder, '*'), join(drivers, 'OfrepProviderJava.java'), flags.url, token];
    return providerOf(startDriver('java', args, workshop.env));
  });
}

/** Proves the OpenFeature provider for Go. */
export async function proveGoProvider(flags: Flags, workshop: Workshop): Promise<Promises> {
  const program = await buildGo(workshop, readFileSync(join(drivers, 'ofrep_provider.go'), 'utf8'));
  return proveProvider(flags, 'OpenFeature, Go provider', null, async (token) =>
    providerOf(startDriver(program, [flags.url, token], workshop.env)),
  );
}

function providerOf(driver: Driver): OpenFeatureSdk {
  return {
    details: async ([ask, flag, otherwise], context) =>
      (await driver.ask({ ask, flag, default: otherwise, context })) as Awaited<ReturnType<OpenFeatureSdk['details']>>,
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
}
