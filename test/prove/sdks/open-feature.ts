import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature as ServerFeature } from '@openfeature/server-sdk';
import { type Provider, OpenFeature as WebFeature } from '@openfeature/web-sdk';
import { changeMs, Promises } from '../promises.ts';
import type { Flags } from './flags.ts';

const pollMs = 1_000;

type SentContext = { readonly targetingKey: string; readonly country?: string };

/** Request of an application for a flag: the type, the key, and the default. */
type Asked = readonly [ask: 'boolean' | 'string' | 'number' | 'object', flag: string, otherwise: unknown];

/** Answer of a provider; an error, if any, comes with the default. */
interface Details {
  readonly value: unknown;
  readonly error: string | null;
}

/** An SDK of OpenFeature with the provider of a server, whatever its language. It ends with the block that uses it. */
export interface OpenFeatureSdk extends AsyncDisposable {
  details(asked: Asked, context: SentContext): Promise<Details>;
}

const country = 'NZ';

/** Reads for the context `{ targetingKey: '7', country }`, and the expected values. */
const reads: readonly (readonly [...asked: Asked, value: unknown])[] = [
  ['boolean', 'plain', false, true],
  ['boolean', 'targeted', false, true],
  ['boolean', 'regional', false, true],
  ['string', 'text', 'red', 'blue'],
  ['number', 'number', 0, 42],
  ['object', 'json', {}, { color: 'blue' }],
  ['boolean', 'text:enabled', false, true],
  // The default of the code must not stand in for a flag that is off.
  ['boolean', 'off:enabled', true, false],
];

/** Read of a flag without a value, for which the default holds. */
const withoutValue: Asked = ['string', 'off', 'red'];

/**
 * Proves that a provider on a server, which sends a request for each flag, has the right values and reports errors.
 * @param errorWithoutValue error that it reports beside the default for a flag without a value, if it takes that for an
 * error.
 */
export async function proveProvider(
  flags: Flags,
  title: string,
  errorWithoutValue: string | null,
  start: (token: string) => Promise<OpenFeatureSdk>,
): Promise<Promises> {
  const promises = new Promises(title);
  await using sdk = await start(await flags.token('client'));
  const context = { targetingKey: '7', country };
  for (const [ask, flag, otherwise, value] of reads) {
    promises.same(flag, await sdk.details([ask, flag, otherwise], context), { value, error: null });
  }
  const elsewhere = await sdk.details(['boolean', 'targeted', true], { targetingKey: '8' });
  promises.same('not targeted', elsewhere, { value: false, error: null });
  const none = await sdk.details(withoutValue, context);
  promises.same('without a value', none, { value: 'red', error: errorWithoutValue });
  const missing = await sdk.details(['boolean', 'missing', true], context);
  promises.same('unknown', missing, { value: true, error: 'FLAG_NOT_FOUND' });
  for (let round = 0; round < 2; round += 1) {
    const wanted = await flags.flip();
    const isSeen = async () => (await sdk.details(['boolean', 'switched', !wanted], context)).value === wanted;
    await promises.within(changeMs, 'a change is seen', isSeen);
  }
  await using refused = await start('wrong');
  const { value, error } = await refused.details(['boolean', 'plain', false], context);
  promises.hold('a wrong token is said', value === false && error !== null, { value, error });
  return promises;
}

/** The methods of clients, on servers and in pages. */
const methods = {
  boolean: 'getBooleanDetails',
  string: 'getStringDetails',
  number: 'getNumberDetails',
  object: 'getObjectDetails',
} as const;

/** Proves the OpenFeature provider for servers of Node. */
export function proveOpenFeatureServer(flags: Flags): Promise<Promises> {
  return proveProvider(flags, 'OpenFeature, server provider', 'GENERAL', async (token) => {
    const provider = new OFREPProvider({ baseUrl: flags.url, headers: [['Authorization', token]] });
    await ServerFeature.setProviderAndWait(provider);
    const client = ServerFeature.getClient();
    return {
      async details([ask, flag, otherwise], context) {
        const { value, errorCode = null } = await client[methods[ask]].call(client, flag, otherwise as never, context);
        return { value, error: errorCode };
      },
      [Symbol.asyncDispose]: () => ServerFeature.close(),
    };
  });
}

/** Proves the OpenFeature provider for pages: all flags at once, and again while it polls. */
export async function proveOpenFeatureWeb(flags: Flags): Promise<Promises> {
  const promises = new Promises('OpenFeature, web provider');
  await WebFeature.setContext({ targetingKey: '7', country });
  const provider = new OFREPWebProvider({
    baseUrl: flags.url,
    pollInterval: pollMs,
    changeDetection: 'polling',
    headers: [['X-API-Key', await flags.token('frontend')]],
  });
  // Its types were not made with exact optional properties in mind.
  await WebFeature.setProviderAndWait(provider as unknown as Provider);
  try {
    const client = WebFeature.getClient();
    const detailsOf = ([ask, flag, otherwise]: Asked) => {
      const { value, errorCode = null } = client[methods[ask]].call(client, flag, otherwise as never);
      return { value, error: errorCode };
    };
    for (const [ask, flag, otherwise, value] of reads) {
      promises.same(flag, detailsOf([ask, flag, otherwise]), { value, error: null });
    }
    promises.same('without a value', detailsOf(withoutValue), { value: 'red', error: null });
    await WebFeature.setContext({ targetingKey: '8' });
    promises.same('not targeted in another context', client.getBooleanValue('targeted', true), false);
    const wanted = await flags.flip();
    await promises.within(
      pollMs + changeMs,
      'a change is seen',
      () => client.getBooleanValue('switched', !wanted) === wanted,
    );
  } finally {
    await WebFeature.close();
  }
  return promises;
}
