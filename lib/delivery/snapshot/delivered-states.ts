import type { FeatureEnvironment } from '../../features/environments/feature-environment.ts';
import { type DeliveredState, toDeliveredState } from '../../features/items/delivered-feature.ts';
import { parseConfiguration } from '../../features/items/feature-items.ts';
import type { FeatureEnvironmentItem } from '../../features/items/stored-items.ts';
import * as featureKeys from '../../features/keys.ts';
import type { ReadModel } from '../../features/read-model/read-model.ts';
import type { DeliveryItem } from '../../features/read-model/read-model-items.ts';
import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll, readItems } from '../../store/read.ts';
import { LostRace } from '../../store/transactions/retry.ts';

/** The states of features in an environment as SDKs get them, by name, each with the version of the feature that wrote it. */
export type DeliveredStates = ReadonlyMap<string, { readonly version: number; readonly state: DeliveredState }>;

/** The most changed states that are read by key. For more, reading all states takes fewer requests. */
export const statesReadByKeyMax = 100;

/** Reads all states that are stored for an environment of a project. The read is not consistent across states. */
export async function readStates(request: Request, project: string, environment: string): Promise<DeliveredStates> {
  const { prefix, ...partition } = featureKeys.deliveries(project, environment);
  const items = await queryAll<Key & DeliveryItem>(request, { ...partition, prefix });
  return new Map(items.map(({ sk, ...item }) => [sk.slice(prefix.length), stateFrom(item)]));
}

/**
 * Loads the states of the live features of a read model that are configured in an environment.
 * @param cached states that were read before; only changed states are read again.
 * @throws LostRace if a feature has changed since the read model was read.
 */
export async function loadStates(
  request: Request,
  { project, features }: ReadModel,
  environment: string,
  ...cached: readonly DeliveredStates[]
): Promise<DeliveredStates> {
  const versions = listVersions(features, environment);
  const loaded = new Map<string, { version: number; state: DeliveredState }>();
  const take = (states: DeliveredStates) => {
    for (const { name, version } of versions) {
      const state = states.get(name);
      if (state?.version === version) loaded.set(name, state);
    }
  };
  const missing = () => versions.filter(({ name }) => !loaded.has(name)).map(({ name }) => name);

  for (const states of cached) take(states);
  const changed = missing();
  if (changed.length > statesReadByKeyMax) take(await readStates(request, project, environment));
  else if (changed.length > 0) take(await readStatesOf(request, { project, environment }, changed));
  // The others are too large to be stored ready for SDKs, or of another version than the read model.
  const others = missing();
  if (others.length > 0) {
    const configurations = await readConfigurations(request, environment, others);
    take(
      new Map(
        [...configurations].map(([name, { version, state }]) => [name, { version, state: toDeliveredState(state) }]),
      ),
    );
  }
  if (missing().length > 0) throw new LostRace();
  return loaded;
}

/** The configuration of a feature in an environment, including disabled strategies. */
export type FeatureConfiguration = Pick<FeatureEnvironment, 'strategies' | 'variants' | 'plan'>;

/**
 * Loads the configurations of the live features of a read model in an environment, by name. Features without one are omitted.
 * @throws LostRace if a feature has changed since the read model was read.
 */
export async function loadConfigurations(
  request: Request,
  { features }: ReadModel,
  environment: string,
): Promise<ReadonlyMap<string, FeatureConfiguration>> {
  const versions = listVersions(features, environment);
  const names = versions.map(({ name }) => name);
  const configurations = await readConfigurations(request, environment, names);
  if (versions.some(({ name, version }) => configurations.get(name)?.version !== version)) throw new LostRace();
  return new Map([...configurations].map(([name, { state }]) => [name, state]));
}

/** Lists the live features that are configured in an environment, each with the version that configured it. */
function listVersions(features: ReadModel['features'], environment: string) {
  return [...features.values()].flatMap(({ feature, summaries }) => {
    const version = summaries.get(environment)?.version ?? 0;
    return feature.archivedAt !== null || version === 0 ? [] : [{ name: feature.name, version }];
  });
}

/** Reads the states of some features of a project in an environment. The read is not consistent across states. */
export async function readStatesOf(
  request: Request,
  { project, environment }: { readonly project: string; readonly environment: string },
  names: readonly string[],
): Promise<DeliveredStates> {
  const keys = names.map((name) => featureKeys.delivery(project, environment, name));
  const items = await readItems<DeliveryItem>(request, keys);
  return collectByName(names, items, stateFrom);
}

/** Reads the configurations of features in an environment from the partitions of the features. */
async function readConfigurations(request: Request, environment: string, names: readonly string[]) {
  const keys = names.map((name) => featureKeys.featureEnvironment(name, environment));
  const items = await readItems<FeatureEnvironmentItem>(request, keys);
  return collectByName(names, items, (item) => ({
    version: item.version,
    state: parseConfiguration(item),
  }));
}

function stateFrom({ version, state }: DeliveryItem) {
  return { version, state: JSON.parse(state) as DeliveredState };
}

function collectByName<T, S>(names: readonly string[], items: readonly (T | undefined)[], decode: (item: T) => S) {
  return new Map(
    names.flatMap((name, index): [string, S][] => {
      const item = items[index];
      return item === undefined ? [] : [[name, decode(item)]];
    }),
  );
}
