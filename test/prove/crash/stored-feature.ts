import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Item } from './content.ts';
import { featureToldBy, told, untold } from './feature-history.ts';
import { eventsIn } from './normal-form.ts';

type Fields = Readonly<Record<string, unknown>>;

interface StoredState {
  readonly enabled: boolean;
  readonly strategies: readonly Fields[];
  readonly variants: unknown;
  readonly version: unknown;
}

/** A feature as its items say, taken apart; what is missing shows as undefined or empty. */
export interface StoredFeature {
  readonly name: string;
  readonly fields: Fields;
  readonly tags: readonly Fields[];
  readonly dependencies: readonly Fields[];
  readonly lifecycle: Fields;
  readonly environments: ReadonlyMap<string, StoredState>;
  /** Of each environment, the version that wrote its item. */
  readonly environmentVersions: ReadonlyMap<string, unknown>;
  readonly eventItems: readonly Item[];
}

/** All features that have an item of their own, of an environment, or of events. */
export function storedFeatures(items: readonly Item[]): Map<string, StoredFeature> {
  const own = items.filter(({ pk, sk }) => pk.startsWith('FEATURE#') && !sk.startsWith('CHILD#'));
  const groups = Map.groupBy(own, ({ pk }) => pk.split('#')[1] ?? '');
  return new Map([...groups].map(([name, group]) => [name, storedFeature(name, group)]));
}

function storedFeature(name: string, items: readonly Item[]): StoredFeature {
  const fields = items.find(({ sk }) => sk === 'FEATURE') ?? ({} as Fields);
  const states = items.filter(({ sk }) => sk.startsWith('ENVIRONMENT#'));
  const parsed = (attribute: string) => JSON.parse(String(fields[attribute] ?? '[]'));
  return {
    name,
    fields,
    tags: parsed('tags'),
    dependencies: parsed('dependencies'),
    lifecycle: parsed('lifecycle'),
    environments: new Map(states.map((item) => [item.sk.slice('ENVIRONMENT#'.length), storedState(item)])),
    environmentVersions: new Map(parsed('environmentVersions')),
    eventItems: items.filter(({ pk }) => pk.endsWith('#EVENTS')),
  };
}

function storedState({ enabled, strategies, variants, version }: Item): StoredState {
  return {
    enabled: enabled === true,
    strategies: JSON.parse(strategies as string),
    variants: JSON.parse(variants as string),
    version,
  };
}

/** @throws AssertionError where the items of a feature do not agree with each other, or not with what its events tell. */
export function assertFeature(feature: StoredFeature): void {
  assertEventItems(feature);
  assertVersions(feature);
  assertAsTold(feature);
}

/** Ids rise, the totals count on, and the feature knows the last of both. */
function assertEventItems({ fields, eventItems }: StoredFeature): void {
  let total = 0;
  let lastId = 0;
  for (const item of eventItems) {
    const events = eventsIn(item);
    equal(item.sk, String(events[0]?.id).padStart(16, '0'), 'events stand under another id than their first');
    for (const { id } of events) {
      ok(id > lastId, 'the ids of events do not rise');
      lastId = id;
    }
    total += events.length;
    equal(item.total, total, 'the total of events is wrong');
  }
  deepEqual([fields.eventCount, fields.lastEventId], [total, lastId], 'the feature counts other events');
}

function assertVersions({ fields, environments, environmentVersions }: StoredFeature): void {
  const versions = new Map([...environments].map(([name, { version }]) => [name, version]));
  deepEqual(
    Object.fromEntries([...environmentVersions].toSorted()),
    Object.fromEntries([...versions].toSorted()),
    'the environments have other versions than the feature knows',
  );
  for (const version of versions.values()) ok(Number(version) <= Number(fields.version), 'a version is ahead');
}

function assertAsTold({ fields, tags, dependencies, lifecycle, environments, eventItems }: StoredFeature): void {
  const history = featureToldBy(eventItems.flatMap(eventsIn));
  const { archived, lastSeenAt: _lastSeenAt, ...toldFields } = history.fields;
  const own = Object.fromEntries(Object.keys(toldFields).map((name) => [name, fields[name]]));
  deepEqual(own, toldFields, 'its fields are not what its events tell');
  equal(fields.archivedAt !== null, archived, 'it is archived against its events');
  equal(lifecycle.stage === 'archived', archived, 'its lifecycle is against its events');
  deepEqual(tags, history.tags, 'its tags are not what its events tell');
  deepEqual(dependencies, history.dependencies, 'its dependencies are not what its events tell');
  for (const name of new Set([...environments.keys(), ...history.environments.keys()])) {
    const { enabled, strategies, variants } = environments.get(name) ?? {
      enabled: false,
      strategies: [],
      variants: [],
    };
    const expected = history.environments.get(name) ?? untold;
    const byId = Object.fromEntries(strategies.map((strategy) => [String(strategy.id), told(strategy)]));
    deepEqual(
      { enabled, strategies: byId, variants },
      { ...expected, strategies: Object.fromEntries(expected.strategies) },
      `its state in ${name} is not what its events tell`,
    );
  }
}
