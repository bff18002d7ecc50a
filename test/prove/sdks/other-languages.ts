import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Promises } from '../promises.ts';
import { type Driver, drivers, startDriver } from './driver.ts';
import type { Flags } from './flags.ts';
import { type OpenFeatureSdk, proveProvider } from './open-feature.ts';
import { proveFallback, proveStreaming, type StartStreaming } from './push/streaming-sdk.ts';
import { proveServerSdk, type ServerSdk } from './server-sdk.ts';
import { buildGo, installJava, installPython, type Workshop } from './tools.ts';

/** The programs of each language among the drivers: its official SDK, and its provider of OpenFeature. */
const programs = {
  Python: { sdk: 'unleash_client.py', provider: 'ofrep_provider.py' },
  Java: { sdk: 'UnleashClientJava.java', provider: 'OfrepProviderJava.java' },
  Go: { sdk: 'unleash_client.go', provider: 'ofrep_provider.go' },
} as const;
type OtherLanguage = keyof typeof programs;

export const otherLanguages = Object.keys(programs) as OtherLanguage[];

/** Commands that run a program, each once all that it needs is installed. */
const commands: Readonly<Record<OtherLanguage, (workshop: Workshop, program: string) => Promise<string[]>>> = {
  Python: async (workshop, program) => [await installPython(workshop), program],
  Java: async (workshop, program) => ['java', '-cp', join(await installJava(workshop), '*'), program],
  Go: async (workshop, program) => [await buildGo(workshop, readFileSync(program, 'utf8'))],
};

async function startable(language: OtherLanguage, which: 'sdk' | 'provider', workshop: Workshop) {
  const [command = '', ...first] = await commands[language](workshop, join(drivers, programs[language][which]));
  return (...args: readonly string[]) => startDriver(command, [...first, ...args], workshop.env);
}

/** Installs the official SDK of a language, and returns a way to start it, to report under the name of an application. */
export async function installSdk(language: OtherLanguage, workshop: Workshop) {
  const start = await startable(language, 'sdk', workshop);
  return (url: string, token: string, application: string, mode: 'polling' | 'streaming' = 'polling') =>
    sdkOf(start(url, token, application, mode), language);
}

/** Returns the proof of the official SDK of a language. */
export const proveSdkOf =
  (language: OtherLanguage) =>
  async (flags: Flags, application: string, workshop: Workshop): Promise<Promises> => {
    const startAt = await installSdk(language, workshop);
    return proveServerSdk(flags, {
      title: `SDK of ${language}`,
      application,
      start: (token, name = 'prove-wrong') => startAt(flags.url, token, name),
    });
  };

/**
 * Returns the proof of the official SDK of a language that can stream.
 * @param fallsBack true if it polls when a stream is refused.
 */
export const proveStreamingOf =
  (language: OtherLanguage, { fallsBack }: { readonly fallsBack: boolean }) =>
  async (_flags: Flags, workshop: Workshop): Promise<Promises> => {
    const startAt = await installSdk(language, workshop);
    const start: StartStreaming = (url, token) => startAt(url, token, 'prove-streaming', 'streaming');
    return proveStreaming({ title: `SDK of ${language}, streaming`, fallsBack, start });
  };

/** Returns the proof that the official SDK of a language, set to stream, polls where no streams are served. */
export const proveFallbackOf =
  (language: OtherLanguage) =>
  async (_flags: Flags, workshop: Workshop): Promise<Promises> => {
    const startAt = await installSdk(language, workshop);
    const start: StartStreaming = (url, token) => startAt(url, token, 'prove-fallback', 'streaming');
    return proveFallback(`SDK of ${language}, without a stream`, start);
  };

function sdkOf(driver: Driver, language: OtherLanguage): ServerSdk {
  return {
    isReady: async () => (await driver.ask({ ask: 'ready' })) === true,
    isEnabled: async (flag, context) => (await driver.ask({ ask: 'enabled', flag, context })) === true,
    payload: (flag, context) => driver.ask({ ask: 'payload', flag, context }),
    unchanged: async () => Number(await driver.ask({ ask: 'unchanged' })),
    errors: async () => (await driver.ask({ ask: 'errors' })) as string[],
    // That of Go has no impact metrics.
    ...(language !== 'Go' && { measure: (orders, seconds) => driver.ask({ ask: 'measure', orders, seconds }) }),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
}

/** Returns the proof of the OpenFeature provider of a language, with the error that it reports for a flag without a value. */
export const proveProviderOf =
  (language: OtherLanguage, errorWithoutValue: string | null) =>
  async (flags: Flags, workshop: Workshop): Promise<Promises> => {
    const start = await startable(language, 'provider', workshop);
    return proveProvider(flags, `OpenFeature, ${language} provider`, errorWithoutValue, async (token) =>
      providerOf(start(flags.url, token)),
    );
  };

function providerOf(driver: Driver): OpenFeatureSdk {
  return {
    details: async ([ask, flag, otherwise], context) =>
      (await driver.ask({ ask, flag, default: otherwise, context })) as Awaited<ReturnType<OpenFeatureSdk['details']>>,
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
}
