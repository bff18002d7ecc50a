import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature as ServerFeature } from '@openfeature/server-sdk';
import { type Provider, OpenFeature as WebFeature } from '@openfeature/web-sdk';
import type { Flags } from './flags.ts';
import { changeMs, Promises } from './promises.ts';

const pollMs = 1_000;

/** The provider of OpenFeature for servers: a request for each flag. */
export async function proveOpenFeatureServer(flags: Flags): Promise<Promises> {
  const promises = new Promises('OpenFeature, server provider');
  await ServerFeature.setProviderAndWait(
    new OFREPProvider({ baseUrl: flags.url, headers: [['Authorization', await flags.token('client')]] }),
  );
  try {
    const client = ServerFeature.getClient();
    const context = { targetingKey: '7', country: 'NZ' };
    promises.same('boolean', await client.getBooleanValue('plain', false, context), true);
    promises.same('targeted', await client.getBooleanValue('targeted', false, context), true);
    promises.same('not targeted', await client.getBooleanValue('targeted', true, { targetingKey: '8' }), false);
    promises.same('regional', await client.getBooleanValue('regional', false, context), true);
    promises.same('string', await client.getStringValue('text', 'red', context), 'blue');
    promises.same('number', await client.getNumberValue('number', 0, context), 42);
    promises.same('object', await client.getObjectValue('json', {}, context), { color: 'blue' });
    const missing = await client.getBooleanDetails('missing', true, context);
    promises.same('unknown', [missing.value, missing.errorCode], [true, 'FLAG_NOT_FOUND']);
    const wanted = await flags.flip();
    await promises.within(
      changeMs,
      'a change is seen',
      async () => (await client.getBooleanValue('switched', !wanted, context)) === wanted,
    );
    await ServerFeature.setProviderAndWait(
      new OFREPProvider({ baseUrl: flags.url, headers: [['Authorization', 'wrong']] }),
    );
    const refused = await ServerFeature.getClient().getBooleanDetails('plain', false, context);
    promises.same('a wrong token is said', [refused.value, refused.reason], [false, 'ERROR']);
  } finally {
    await ServerFeature.close();
  }
  return promises;
}

/** The provider of OpenFeature for pages: all flags at once, and again while it polls. */
export async function proveOpenFeatureWeb(flags: Flags): Promise<Promises> {
  const promises = new Promises('OpenFeature, web provider');
  await WebFeature.setContext({ targetingKey: '7', country: 'NZ' });
  const provider = new OFREPWebProvider({
    baseUrl: flags.url,
    pollInterval: pollMs,
    headers: [['X-API-Key', await flags.token('frontend')]],
  });
  // Its types were not made with exact optional properties in mind.
  await WebFeature.setProviderAndWait(provider as unknown as Provider);
  try {
    const client = WebFeature.getClient();
    promises.same('boolean', client.getBooleanValue('plain', false), true);
    promises.same('targeted', client.getBooleanValue('targeted', false), true);
    promises.same('regional', client.getBooleanValue('regional', false), true);
    promises.same('string', client.getStringValue('text', 'red'), 'blue');
    promises.same('number', client.getNumberValue('number', 0), 42);
    promises.same('object', client.getObjectValue('json', {}), { color: 'blue' });
    promises.same('on beside its value', client.getBooleanValue('text:enabled', false), true);
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
