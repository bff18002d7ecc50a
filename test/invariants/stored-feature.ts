import { deepEqual, equal, ok } from 'node:assert/strict';
import { hash } from 'node:crypto';
import { eventsIn, type Item } from '../harness/items.ts';
import { inEvents, initialState, replayedFeature } from './feature-history.ts';
import { followedPlan, liveStrategies, type StoredPlan } from './plans.ts';

type Fields = Readonly<Record<string, unknown>>;

interface StoredState {
  readonly enabled: boolean;
  readonly strategies: readonly Fields[];
  readonly variants: unknown;
  /** Undefined without a release plan. */
  readonly plan: StoredPlan | undefined;
  readonly safeguards: readonly unknown[];
}

/** A feature as its items say, taken apart; what is missing shows as undefined or empty. */
export interface FeatureInItems {
  readonly name: string;
  readonly fields: Fields;
  readonly tags: readonly Fields[];
  readonly dependencies: readonly Fields[];
  readonly lifecycle: Fields;
  readonly environments: ReadonlyMap<string, StoredState>;
  /** Summaries of the environments in the feature's own item. */
  readonly summaries: ReadonlyMap<string, Fields>;
  /** The versions that wrote the items of environments and parts, as these say and as the feature's own does. */
  readonly versions: Readonly<Record<'own' | 'others', ReadonlyMap<string, unknown>>>;
  readonly eventItems: readonly Item[];
  /** The items of events of all features that had the name. */
  readonly chain: readonly Item[];
}

/** Collects all features that have an item of their own, of an environment, or of events, except deleted ones. */
export function storedFeatures(items: readonly Item[]): Map<string, FeatureInItems> {
  const own = items.filter(({ pk, sk }) => pk.startsWith('FEATURE#') && !sk.startsWith('CHILD#'));
  const groups = Map.groupBy(own, ({ pk }) => pk.split('#')[1] ?? '');
  const existing = [...groups].filter(([, group]) => !group.some(({ sk, deleted }) => sk === 'FEATURE' && deleted));
  return new Map(existing.map(([name, group]) => [name, storedFeature(name, group)]));
}

function storedFeature(name: string, items: readonly Item[]): FeatureInItems {
  const fields = items.find(({ sk }) => sk === 'FEATURE') ?? ({} as Fields);
  const others = items.filter(({ sk }) => sk.startsWith('ENVIRONMENT#') || sk.startsWith('PART#'));
  const parts = new Map(items.filter(({ sk }) => sk.startsWith('PART#')).map(({ sk, value }) => [sk.slice(5), value]));
  const parsed = (attribute: string) => JSON.parse(String(fields[attribute] ?? parts.get(attribute) ?? '[]'));
  const summaries = new Map<string, Fields>(parsed('environments'));
  const known: [string, unknown][] = [...summaries].map(([each, { version }]) => [`ENVIRONMENT#${each}`, version]);
  const ofParts = new Map<string, unknown>(parsed('parts'));
  return {
    name,
    fields: { description: parts.get('description') ?? null, stale: false, impressionData: false, ...fields },
    tags: parsed('tags'),
    dependencies: parsed('dependencies'),
    lifecycle: parsed('lifecycle'),
    environments: new Map(
      [...summaries].map(([each, { enabled }]) => [
        each,
        storedState(
          items.find(({ sk }) => sk === `ENVIRONMENT#${each}`),
          enabled === true,
        ),
      ]),
    ),
    summaries,
    versions: {
      own: new Map([
        ...known.filter(([, version]) => version !== 0),
        ...[...ofParts].map(([part, version]) => [`PART#${part}`, version] as const),
      ]),
      others: new Map(others.map(({ sk, version }) => [sk, version])),
    },
    // Those of an earlier feature of the name are not its own.
    eventItems: items.filter(({ pk, firstId }) => pk.endsWith('#EVENTS') && firstId === fields.firstEventId),
    chain: items.filter(({ pk }) => pk.endsWith('#EVENTS')),
  };
}

function storedState(item: Item | undefined, enabled: boolean): StoredState {
  const { strategies = '[]', variants = '[]', plan, safeguards = '[]' }: Partial<Item> = item ?? {};
  return {
    enabled,
    strategies: JSON.parse(strategies as string),
    variants: JSON.parse(variants as string),
    plan: plan === undefined ? undefined : JSON.parse(String(plan)),
    safeguards: JSON.parse(String(safeguards)),
  };
}

/** @throws AssertionError where the items of a feature do not agree with each other, or not with what its events tell. */
export function assertFeature(feature: FeatureInItems): void {
  assertEventItems(feature);
  assertChain(feature);
  assertVersions(feature);
  assertMatchesEvents(feature);
}

/** Ids rise, the totals count on, and the feature knows the last of both. */
function assertEventItems({ fields, eventItems }: FeatureInItems): void {
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

/** @throws AssertionError unless each link covers its item and the link before, and the feature has the last one. */
function assertChain({ fields, chain }: FeatureInItems): void {
  let last: unknown;
  for (const { link, ...item } of chain) {
    if (link === undefined) continue;
    const { pk, sk, ...attributes } = item;
    const names = Object.keys(attributes).toSorted();
    const content = hash('sha256', JSON.stringify([pk, sk, ...names.map((name) => [name, item[name]])]), 'base64url');
    equal(link, hash('sha256', `${last ?? ''}\n${content}`, 'base64url'), 'the chain of events is broken');
    last = link;
  }
  equal(fields.link, last, 'the feature has another link than its last event');
}

function assertVersions({ fields, environments, summaries, versions }: FeatureInItems): void {
  deepEqual(
    Object.fromEntries([...versions.own].toSorted()),
    Object.fromEntries([...versions.others].toSorted()),
    'the items of environments and parts have other versions than the feature knows',
  );
  for (const version of versions.own.values()) ok(Number(version) <= Number(fields.version), 'a version is ahead');
  for (const [name, state] of environments) {
    const summary = summaries.get(name);
    const live = liveStrategies(state);
    deepEqual(
      [summary?.strategies, summary?.enabledStrategies, summary?.variants],
      [live.length, live.filter(({ disabled }) => disabled !== true).length, (state.variants as unknown[]).length],
      `the sums of ${name} are wrong`,
    );
  }
}

function assertMatchesEvents({
  fields,
  tags,
  dependencies,
  lifecycle,
  environments,
  eventItems,
}: FeatureInItems): void {
  const history = replayedFeature(eventItems.flatMap(eventsIn));
  const { archived, lastSeenAt: _lastSeenAt, ...replayedFields } = history.fields;
  const own = Object.fromEntries(Object.keys(replayedFields).map((name) => [name, fields[name]]));
  deepEqual(own, replayedFields, 'its fields are not what its events say');
  equal(fields.archivedAt !== null, archived, 'it is archived against its events');
  equal(lifecycle.stage === 'archived', archived, 'its lifecycle is against its events');
  deepEqual(tags, history.tags, 'its tags are not what its events say');
  deepEqual(dependencies, history.dependencies, 'its dependencies are not what its events say');
  for (const name of new Set([...environments.keys(), ...history.environments.keys()])) {
    const { enabled, strategies, variants, plan } = environments.get(name) ?? {
      enabled: false,
      strategies: [],
      variants: [],
      plan: undefined,
    };
    const expected = history.environments.get(name) ?? initialState;
    const byId = Object.fromEntries(strategies.map((strategy) => [String(strategy.id), inEvents(strategy)]));
    deepEqual(
      { enabled, strategies: byId, variants, plan: plan && followedPlan(plan) },
      { ...expected, strategies: Object.fromEntries(expected.strategies) },
      `its state in ${name} is not what its events tell`,
    );
  }
}
