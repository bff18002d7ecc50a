import { changeMs, Promises } from '../promises.ts';
import type { Flags } from './flags.ts';
import { type MeasuringSdk, proveMeasuring } from './impact-metrics.ts';

/** Interval at which each SDK polls. */
export const intervalMs = 1_000;
export const startMs = 20_000;

type SentContext = { readonly userId?: string; readonly properties?: Record<string, string> };

/** An SDK of a server, whatever its language. It ends with the block that uses it. */
export interface ServerSdk extends AsyncDisposable {
  isReady(): Promise<boolean>;
  isEnabled(flag: string, context: SentContext): Promise<boolean>;
  /** Returns the payload of the variant. */
  payload(flag: string, context: SentContext): Promise<unknown>;
  /** Number of polls answered by 304. */
  unchanged(): Promise<number>;
  /** Errors that it has reported. */
  errors(): Promise<readonly string[]>;
  /** Missing if the SDK has no impact metrics. */
  readonly measure?: MeasuringSdk['measure'];
}

/** Starts an SDK. Without an application it reports nothing. */
export type StartSdk = (token: string, application?: string) => ServerSdk;

/** Proves that an SDK has the right values, sees changes in time, and says that a token is wrong. */
export async function proveServerSdk(
  flags: Flags,
  { title, application, start }: { readonly title: string; readonly application?: string; readonly start: StartSdk },
): Promise<Promises> {
  const promises = new Promises(title);
  await provePolling(promises, flags, start(await flags.token('client'), application), application);
  await proveRefusal(promises, start(`*:development.${'0'.repeat(56)}`));
  return promises;
}

async function provePolling(
  promises: Promises,
  flags: Flags,
  started: ServerSdk,
  application: string | undefined,
): Promise<void> {
  await using sdk = started;
  await promises.within(startMs, 'ready', () => sdk.isReady());
  await proveValues(promises, sdk);
  await promises.within(startMs, 'unchanged polls are answered 304', async () => (await sdk.unchanged()) > 0);
  for (let round = 0; round < 2; round += 1) {
    const wanted = await flags.flip();
    const isSeen = async () => (await sdk.isEnabled('switched', {})) === wanted;
    await promises.within(intervalMs + changeMs, 'a change is seen', isSeen);
  }
  const { measure } = sdk;
  if (measure !== undefined && application !== undefined)
    await proveMeasuring(promises, flags, application, { measure });
  promises.same('no error', await sdk.errors(), []);
}

/** Proves that an SDK that is ready has the right values. */
export async function proveValues(promises: Promises, sdk: ServerSdk): Promise<void> {
  const inNewZealand = { properties: { country: 'NZ' } };
  promises.same('plain', await sdk.isEnabled('plain', {}), true);
  promises.same('targeted', await sdk.isEnabled('targeted', { userId: '7' }), true);
  promises.same('not targeted', await sdk.isEnabled('targeted', { userId: '8' }), false);
  promises.same('regional', await sdk.isEnabled('regional', inNewZealand), true);
  promises.same('not regional', await sdk.isEnabled('regional', {}), false);
  promises.same('unknown', await sdk.isEnabled('unknown', {}), false);
  const payload = (await sdk.payload('text', { userId: '7' })) as { type?: string; value?: string };
  promises.same('variant', [payload?.type, payload?.value], ['string', 'blue']);
}

/** Proves that it reports a wrong token as such. */
async function proveRefusal(promises: Promises, started: ServerSdk): Promise<void> {
  await using sdk = started;
  const isSaid = async () => (await sdk.errors()).some((message) => message.includes('401'));
  await promises.within(startMs, 'a wrong token is said', isSaid);
  promises.same('nothing is on', await sdk.isEnabled('plain', {}), false);
}
