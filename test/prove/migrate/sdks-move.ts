import type { ComparedToken } from '../../../infra/commands/migration/compare/choose-tokens.ts';
import { withRandom } from '../../../infra/commands/migration/compare/sdk-engine.ts';
import type { Address } from '../../harness/http-call.ts';
import { type NodeSdk, startNodeSdk } from '../../harness/node-sdk.ts';
import { Promises } from '../promises.ts';
import { countedUses } from '../sdks/flags.ts';
import { type MovedServer, openMovingAddress } from './moving-address.ts';

const intervalMs = 500;
const startMs = 30_000;
/** The service stores its counts once a minute. */
export const countedMs = 65_000;
const usersAsked = 50;
const sdksMax = 5;

/**
 * Proves that applications notice nothing: SDKs of Node with the tokens of the source poll an address that moves to the
 * target, without an error or another answer, and their metrics arrive there.
 */
export async function proveSdksMove({ source, target, tokens }: MovedServer): Promise<Promises> {
  const promises = new Promises('SDKs that move');
  await using address = await openMovingAddress(source.url);
  const clients = tokens.filter(({ type }) => type === 'client').slice(0, sdksMax);
  const sdks = clients.map((token, index) => started(address.url, token, `mover-${index}`));
  try {
    for (const { name, unleash } of sdks) {
      await promises.within(startMs, `${name} is ready`, () => unleash.isSynchronized());
    }
    const before = sdks.map(answersOf);
    const pollsBefore = sdks.map(countPolls);
    address.moveTo(target.url);
    // The first poll may have been under way. The target answers 304 for the same content, so that nothing needs to change.
    const havePolled = () => sdks.every((sdk, index) => countPolls(sdk) >= (pollsBefore[index] ?? 0) + 2);
    await promises.within(startMs, 'all poll the target', havePolled);
    for (const [index, sdk] of sdks.entries()) {
      promises.same(`${sdk.name} answers as before`, answersOf(sdk), before[index]);
      promises.same(`${sdk.name} has no error`, sdk.seen.errors, []);
    }
    await proveCounted(promises, sdks, target);
  } finally {
    for (const { unleash } of sdks) unleash.destroy();
  }
  return promises;
}

interface MovingSdk extends NodeSdk {
  readonly name: string;
}

const countPolls = ({ seen }: NodeSdk) => seen.changed + seen.unchanged;

/** Starts an SDK that polls often and reports as an application. */
export function started(url: string, { secret }: ComparedToken, name: string): MovingSdk {
  const often = { appName: name, refreshInterval: intervalMs, metricsInterval: intervalMs };
  return { name, ...startNodeSdk(url, secret, often) };
}

/** Proves that what SDKs evaluate from now on is counted at a server; counts of the minutes before may be elsewhere. */
export async function proveCounted(promises: Promises, sdks: readonly MovingSdk[], server: Address): Promise<void> {
  for (const { name, unleash } of sdks) {
    const [flag] = unleash.getFeatureToggleDefinitions();
    if (flag === undefined) continue;
    unleash.isEnabled(flag.name);
    const isCounted = async () => (await countedUses(server, flag.name, name)) > 0;
    await promises.within(countedMs, `metrics of ${name} arrive`, isCounted);
  }
}

/** The answers of an SDK about all of its flags for some users, as texts by flag. */
export function answersOf({ unleash }: NodeSdk): Readonly<Record<string, string>> {
  const flags = unleash.getFeatureToggleDefinitions().toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return withRandom(0.4, () =>
    Object.fromEntries(
      flags.map(({ name }) => [
        name,
        Array.from({ length: usersAsked }, (_, index) => {
          const context = { userId: `user-${index}`, properties: { country: index % 2 === 0 ? 'NZ' : 'DE' } };
          return `${unleash.isEnabled(name, context)} ${unleash.getVariant(name, context).name}`;
        }).join(),
      ]),
    ),
  );
}
