import { isDeepStrictEqual } from 'node:util';
import { ScanCommand, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import { countsOf } from '../../../lib/environments/environment-counts.ts';
import { type EventsItem, eventsOf } from '../../../lib/events/event-items.ts';
import { metadataOf } from '../../../lib/features/feature.ts';
import type { FeatureItem, StoredFeature } from '../../../lib/features/feature-items.ts';
import { featureOf } from '../../../lib/features/feature-store.ts';
import { type Key, keys } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { shelfProblems } from '../../harness/shelf-agreement.ts';
import { replayed } from './replay.ts';

type Item = Key & Readonly<Record<string, unknown>>;

/** Where the store holds half of a change: an item without the other, or a state that its events do not lead to. */
export async function halfWritten(table: Table): Promise<string[]> {
  const items = await allItems(table);
  const byKey = new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));
  const partitions = Map.groupBy(items, ({ pk }) => pk);
  const features = items.filter(({ pk, sk }) => pk.startsWith('FEATURE#') && sk === 'FEATURE');
  const known = new Set(features.flatMap(({ pk }) => [pk, `${pk}#EVENTS`]));
  const orphans = [...partitions.keys()].filter((pk) => pk.startsWith('FEATURE#') && !known.has(pk));
  return [
    ...orphans.map((pk) => `The partition ${pk} belongs to no feature.`),
    ...features.flatMap((item) => featureProblems(item, partitions, byKey)),
    ...countProblems(features, items),
    ...shelfProblems(items),
    ...eventIdProblems(items),
  ];
}

/** A proof may look at everything; the service itself never does. */
async function allItems({ name, client }: Table): Promise<Item[]> {
  const items: Item[] = [];
  let start: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const page: ScanCommandOutput = await client.send(new ScanCommand({ TableName: name, ExclusiveStartKey: start }));
    items.push(...((page.Items ?? []) as Item[]));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}

const eventsIn = (items: readonly Item[] = []) =>
  items.flatMap((item) => eventsOf(item as unknown as EventsItem)).toSorted((a, b) => a.id - b.id);

function featureProblems(
  own: Item,
  partitions: ReadonlyMap<string, readonly Item[]>,
  byKey: ReadonlyMap<string, Item>,
): string[] {
  const problems: string[] = [];
  const feature = own as unknown as FeatureItem;
  const said = (problem: string) => problems.push(`The feature ${feature.name}: ${problem}`);
  const has = ({ pk, sk }: Key) => byKey.has(`${pk} ${sk}`);

  let stored: StoredFeature | undefined;
  try {
    stored = featureOf(partitions.get(own.pk) ?? []);
  } catch {
    // What is missing is reported like what is of another moment.
  }
  if (stored === undefined) {
    said('its items are not of the versions that it names.');
    return problems;
  }
  const { revision } = stored;
  if (revision.childCount !== stored.feature.children.length) said('it counts other children.');

  const events = eventsIn(partitions.get(`${own.pk}#EVENTS`));
  if (events.length !== revision.eventCount) said(`it counts ${revision.eventCount} of ${events.length} events.`);
  if (events.at(-1)?.id !== revision.lastEventId) said('its last event is another one.');
  const replay = replayed(events);
  problems.push(...replay.breaks.map((each) => `The feature ${feature.name}: ${each}`));
  if (!isDeepStrictEqual(replay.flag, { ...metadataOf(stored.feature) }))
    said('its fields are not what its events say.');
  if (!isDeepStrictEqual(new Set(stored.feature.tags.map(({ type, value }) => `${type}:${value}`)), replay.tags)) {
    said('its tags are not what its events say.');
  }
  for (const [environment, { enabled, strategies, variants }] of stored.feature.environments) {
    const ids = new Set(strategies.map(({ id }) => id));
    const replayedState = replay.environments.get(environment);
    if (!isDeepStrictEqual({ enabled, ids, variants }, replayedState))
      said(`its ${environment} is not what its events say.`);
  }
  const { archivedAt, project, name } = feature;
  if (archivedAt !== null && !has(keys.archivedFeature(project, archivedAt, name))) said('the archive lacks it.');
  for (const { feature: parent } of stored.feature.dependencies) {
    if (!has(keys.featureChild(parent, name))) said(`its parent ${parent} does not know it.`);
  }
  return problems;
}

/** The counts of the environments list have to be those of the features that are there. */
function countProblems(features: readonly Item[], items: readonly Item[]): string[] {
  const shards = items.filter(({ pk, sk }) => pk === 'ENVIRONMENTS' && sk.startsWith('COUNTS#'));
  const environments = items.filter(({ pk, sk }) => pk === 'ENVIRONMENTS' && sk.startsWith('ENVIRONMENT#'));
  return environments.flatMap(({ sk }) => {
    const name = sk.slice('ENVIRONMENT#'.length);
    const enabled = features.filter(({ environments }) =>
      (JSON.parse(String(environments)) as [string, { enabled: boolean }][]).some(
        ([each, summary]) => each === name && summary.enabled,
      ),
    ).length;
    const counted = countsOf(name, shards).enabledToggleCount;
    return counted === enabled ? [] : [`${sk} counts ${counted} enabled features; there are ${enabled}.`];
  });
}

function eventIdProblems(items: readonly Item[]): string[] {
  const ids = eventsIn(items.filter(({ pk, events }) => events !== undefined && /#EVENTS$|^EVENTS#/.test(pk))).map(
    ({ id }) => id,
  );
  return new Set(ids).size === ids.length ? [] : ['Two events have the same id.'];
}
