import type { FeatureEnvironment } from '../../features/feature.ts';
import { type DeliveredState, deliveredState } from '../../features/items/delivered-feature.ts';
import type { FeatureEnvironmentItem } from '../../features/items/feature-items.ts';
import * as featureKeys from '../../features/keys.ts';
import type { Shelf } from '../../features/shelf/shelf.ts';
import type { DeliveryItem } from '../../features/shelf/shelf-items.ts';
import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll, readItems } from '../../store/read.ts';
import { LostRace } from '../../store/transactions/retry.ts';

/**
 * The states of features in an environment that SDKs get, by name, each under the version of the feature that wrote it.
 */
export type DeliveredStates = ReadonlyMap<string, { readonly version: number; readonly state: DeliveredState }>;

/** So many that have changed are read by key; for more, reading all of them is fewer requests. */
export const byKeyMax = 100;

/** All that is kept ready for an environment of a project, of whatever moment each item is. */
export async function readStates(request: Request, project: string, environment: string): Promise<DeliveredStates> {
  const { prefix, ...partition } = featureKeys.deliveries(project, environment);
  const items = await queryAll<Key & DeliveryItem>(request, { ...partition, prefix });
  return new Map(items.map(({ sk, ...item }) => [sk.slice(prefix.length), stateFrom(item)]));
}

/**
 * Returns the states, as SDKs get them, of the live features of a shelf that do something in an environment.
 * @param known what was read before; of it, only what has changed is read again.
 * @throws LostRace where a feature has changed since the shelf was read.
 */
export async function statesOf(
  request: Request,
  { project, features }: Shelf,
  environment: string,
  ...known: readonly DeliveredStates[]
): Promise<DeliveredStates> {
  const wanted = statesIn(features, environment);
  const found = new Map<string, { version: number; state: DeliveredState }>();
  const take = (states: DeliveredStates) => {
    for (const { name, version } of wanted) {
      const state = states.get(name);
      if (state?.version === version) found.set(name, state);
    }
  };
  const missing = () => wanted.filter(({ name }) => !found.has(name)).map(({ name }) => name);

  for (const states of known) take(states);
  const changed = missing();
  if (changed.length > byKeyMax) take(await readStates(request, project, environment));
  else if (changed.length > 0) take(await readStatesOf(request, { project, environment }, changed));
  // What is too large to be kept ready, or is of another moment than the shelf.
  const others = missing();
  if (others.length > 0) {
    const own = await readOwn(request, environment, others);
    take(new Map([...own].map(([name, { version, state }]) => [name, { version, state: deliveredState(state) }])));
  }
  if (missing().length > 0) throw new LostRace();
  return found;
}

/** The configuration of a feature in an environment, disabled strategies included. */
export type OwnState = Pick<FeatureEnvironment, 'strategies' | 'variants'>;

/**
 * Returns the configuration of the live features of a shelf in an environment, by name; features without any are left
 * out.
 * @throws LostRace where a feature has changed since the shelf was read.
 */
export async function ownStatesOf(
  request: Request,
  { features }: Shelf,
  environment: string,
): Promise<ReadonlyMap<string, OwnState>> {
  const wanted = statesIn(features, environment);
  const names = wanted.map(({ name }) => name);
  const found = await readOwn(request, environment, names);
  if (wanted.some(({ name, version }) => found.get(name)?.version !== version)) throw new LostRace();
  return new Map([...found].map(([name, { state }]) => [name, state]));
}

/** The live features that do something in an environment, with the version of each that says what. */
function statesIn(features: Shelf['features'], environment: string) {
  return [...features.values()].flatMap(({ feature, summaries }) => {
    const version = summaries.get(environment)?.version ?? 0;
    return feature.archivedAt !== null || version === 0 ? [] : [{ name: feature.name, version }];
  });
}

/** Reads the delivered states of some features of a project in an environment, each of its own moment. */
export async function readStatesOf(
  request: Request,
  { project, environment }: { readonly project: string; readonly environment: string },
  names: readonly string[],
): Promise<DeliveredStates> {
  const wanted = names.map((name) => featureKeys.delivery(project, environment, name));
  const items = await readItems<DeliveryItem>(request, wanted);
  return byName(names, items, stateFrom);
}

/** Reads the configuration of features in an environment from their own partitions. */
async function readOwn(request: Request, environment: string, names: readonly string[]) {
  const wanted = names.map((name) => featureKeys.featureEnvironment(name, environment));
  const items = await readItems<FeatureEnvironmentItem>(request, wanted);
  return byName(names, items, ({ version, strategies, variants }) => ({
    version,
    state: { strategies: JSON.parse(strategies), variants: JSON.parse(variants) },
  }));
}

function stateFrom({ version, state }: DeliveryItem) {
  return { version, state: JSON.parse(state) as DeliveredState };
}

function byName<T, S>(names: readonly string[], items: readonly (T | undefined)[], from: (item: T) => S) {
  return new Map(
    names.flatMap((name, index): [string, S][] => {
      const item = items[index];
      return item === undefined ? [] : [[name, from(item)]];
    }),
  );
}
