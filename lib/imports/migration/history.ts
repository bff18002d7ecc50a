import * as v from 'valibot';
import { buildSourceEventData } from '../../events/event.ts';
import { takeEventIds } from '../../events/event-ids.ts';
import { eventsBytesMax, featureEventWrites, serviceEventWrites } from '../../events/event-items.ts';
import { type Event, isEventType } from '../../events/event-schema.ts';
import type { Past } from '../../features/items/feature-items.ts';
import type { Request } from '../../request.ts';
import { readItem } from '../../store/read.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import { transact } from '../../store/transactions/transact.ts';
import type { Write } from '../../store/transactions/write.ts';
import { isJsonObject, type JsonObject } from '../../values/json.ts';
import { chunksOf } from '../../values/lists.ts';
import { integer, isName, moment, object, text } from '../../values/primitives.ts';
import * as importKeys from '../keys.ts';
import type { MigrationStep, ServerKind, ServerMigration } from './plan.ts';

/** The highest id of an event of a server that is imported, far above all real ids. */
const sourceIdMax = 1_000_000_000_000;

/** Ids of a server that have `base` added here: those up to `upTo` and above the previous block. */
interface Block {
  readonly upTo: number;
  readonly base: number;
}

/** The item with the state of the migration of a server's events. */
interface ServerItem {
  readonly version: number;
  /** JSON: Block[]. */
  readonly blocks: string;
  /** The id on the server up to which all events without a flag are here. */
  readonly historyUpTo: number;
}

/** The events of a server with their ids here. */
export interface ServerHistory {
  /** Returns an event as it is stored here; undefined for an invalid one. */
  imported(sent: JsonObject): ImportedEvent | undefined;
  /** Returns the events of a flag. */
  ofFeature(name: string): ImportedEvent[];
  readonly historyUpTo: number;
}

/** An event as it is stored here, with its id on the server. */
export interface ImportedEvent {
  readonly sourceId: number;
  readonly event: Event;
}

const sentEvent = object({
  id: v.pipe(integer, v.minValue(1), v.maxValue(sourceIdMax)),
  createdAt: moment,
  createdBy: text,
  createdByUserId: v.optional(v.nullable(integer), null),
});

/**
 * Assigns ids to the events of a server. An event keeps its id in all further migrations. A plan takes no ids: its events have
 * those of the server.
 */
export async function assignEventIds(migration: ServerMigration): Promise<ServerHistory> {
  const { source, request } = migration;
  const lastId = Math.min(sourceIdMax, source.copy.lastEventId);
  const { blocks, historyUpTo } = await retryLostRaces(request, () => takeBlocks(migration, lastId));
  const imported = (sent: JsonObject) => toImportedEvent(sent, blocks, migration);
  return {
    imported,
    ofFeature: (name) => source.copy.eventsOf(name).flatMap((sent) => imported(sent) ?? []),
    historyUpTo,
  };
}

async function takeBlocks({ request, from, isWriting }: ServerMigration, lastId: number) {
  const stored = await readItem<ServerItem>(request, importKeys.migratedServer(from));
  const { historyUpTo = 0, version = 0 } = stored ?? {};
  const blocks: Block[] = JSON.parse(stored?.blocks ?? '[]');
  const assignedUpTo = blocks.at(-1)?.upTo ?? 0;
  if (lastId <= assignedUpTo) return { blocks, historyUpTo };
  const base = isWriting ? (await takeEventIds(request, lastId - assignedUpTo)).first - assignedUpTo - 1 : 0;
  const next = [...blocks, { upTo: lastId, base }];
  if (isWriting) {
    const item = { version: version + 1, blocks: JSON.stringify(next), historyUpTo };
    const when = stored === undefined ? ('absent' as const) : { version };
    await transact(request, [{ put: importKeys.migratedServer(from), item, when }], undefined);
  }
  return { blocks: next, historyUpTo };
}

function toImportedEvent(
  sent: JsonObject,
  blocks: readonly Block[],
  { target }: ServerMigration,
): ImportedEvent | undefined {
  const { success, output } = v.safeParse(sentEvent, sent);
  const { type } = sent;
  if (!success || !isEventType(type)) return undefined;
  const { id: sourceId, createdAt, createdBy, createdByUserId } = output;
  const block = blocks.find(({ upTo }) => sourceId <= upTo);
  if (block === undefined) return undefined;
  const nameIn = (member: string) => {
    const value = sent[member];
    return typeof value === 'string' && value !== '*' && isName(value) ? value : null;
  };
  const event: Event = {
    id: sourceId + block.base,
    createdAt,
    type,
    createdBy,
    createdByUserId: createdByUserId === null ? null : (target.idOf('user', createdByUserId) ?? createdByUserId),
    environment: nameIn('environment'),
    project: nameIn('project'),
    featureName: nameIn('featureName'),
    ...contentsOf(sent, sourceId),
    tags: [],
  };
  return { sourceId, event };
}

/** Returns the content of an event with its id on the server and without secrets. */
function contentsOf({ data, preData }: JsonObject, sourceId: number): Pick<Event, 'data' | 'preData'> {
  const source = buildSourceEventData(sourceId);
  const [after, before] = [contentOf(data), contentOf(preData)];
  const bytes = Buffer.byteLength(JSON.stringify([after, before]));
  if (bytes > eventsBytesMax / 2) return { data: { ...source, tooLarge: bytes }, preData: null };
  return {
    data: after === null && before !== null ? null : { ...after, ...source },
    preData: before === null ? null : { ...before, ...source },
  };
}

function contentOf(content: unknown): Readonly<Record<string, unknown>> | null {
  if (content === undefined || content === null) return null;
  if (!isJsonObject(content)) return { value: content };
  const { secret, ...shown } = content;
  // The link of an invitation contains the secret, too.
  const isShown = (value: unknown) => !secret || !String(value).includes(String(secret));
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => isShown(value)));
}

/** The events of one of the flags that had a name. */
interface Life {
  readonly events: readonly Event[];
  readonly firstEventId?: number;
}

/** Splits the events of a name by flag: after a deletion, the name belongs to a new flag. */
function livesOf(events: readonly Event[], isFirst: boolean): Life[] {
  const ends = events.flatMap(({ type }, index) =>
    type === 'feature-deleted' && index < events.length - 1 ? [index + 1] : [],
  );
  return [0, ...ends].map((start, index) => {
    const own = events.slice(start, ends[index]);
    const firstId = own[0]?.id;
    return { events: own, ...((index > 0 || !isFirst) && firstId !== undefined && { firstEventId: firstId }) };
  });
}

/** Returns a write without its condition, so that it can be repeated: an imported event never changes. */
function withoutCondition(write: Write): Write {
  const { when: _when, ...rest } = write as Extract<Write, { readonly put: unknown }>;
  return rest;
}

/**
 * Builds the writes of the history of a name, which are always the same, and the counters with which a new flag of that name
 * starts.
 * @param isFirst true if no flag here had the name before.
 */
export function buildHistoryWrites(
  name: string,
  events: readonly Event[],
  isFirst = true,
): { writes: Write[]; past: Past } {
  const lives = livesOf(events, isFirst);
  const writes = lives.flatMap(({ events: own, ...life }) =>
    featureEventWrites(name, own, { eventCount: 0, ...life }, []).map(withoutCondition),
  );
  const { events: own, firstEventId } = lives.at(-1) as Life;
  const past = {
    eventCount: own.length,
    lastEventId: own.at(-1)?.id ?? 0,
    ...(firstEventId !== undefined && { firstEventId }),
  };
  return { writes, past: { ...past, summaries: summariesOf(own) } };
}

/** Returns the time at which a flag was first switched on, by environment. */
function summariesOf(events: readonly Event[]): NonNullable<Past['summaries']> {
  const first = new Map<string, string>();
  for (const { type, environment, createdAt } of events) {
    if (type === 'feature-environment-enabled' && environment !== null && !first.has(environment)) {
      first.set(environment, createdAt);
    }
  }
  const nothing = { enabled: false, strategies: 0, enabledStrategies: 0, variants: 0, version: 0 };
  return new Map([...first].map(([environment, at]) => [environment, { ...nothing, firstOn: at }]));
}

/** The writes of a step, which fit into one transaction. */
const writesAtOnce = 80;

/** Builds the steps that write the history of a name before the flag itself. */
export function buildHistorySteps(name: string, writes: readonly Write[]): MigrationStep[] {
  return [...chunksOf(writes, writesAtOnce)].map((chunk) => ({
    name: `the history of ${name}`,
    writes: chunk,
    events: [],
  }));
}

const eventsAtOnce = 1_000;

/** The events that belong to no flag. */
export const historyKind: ServerKind = {
  title: 'events of the past',
  decisions: async function* (migration) {
    const { from, source } = migration;
    const history = await assignEventIds(migration);
    const unchanged: string[] = [];
    const unknown = new Map<string, number>();
    const fresh: MigrationStep[] = [];
    for (const sent of source.copy.events()) {
      const imported = history.imported(sent);
      const type = String(sent.type).slice(0, 100);
      if (imported === undefined) unknown.set(type, (unknown.get(type) ?? 0) + 1);
      else if (imported.event.featureName !== null) continue;
      else if (imported.sourceId <= history.historyUpTo) unchanged.push(type);
      else fresh.push(buildEventStep(imported));
      if (fresh.length < eventsAtOnce) continue;
      const steps = fresh.splice(0);
      yield async () => ({ steps });
    }
    const refused = [...unknown].map(([type, amount]) => ({
      name: `${amount} events of the type ${type}`,
      reason: 'Flagstaff has no such type, or the events are invalid',
    }));
    const upTo = source.copy.lastEventId;
    const end = { name: 'the end of the history', events: [], writes: [] };
    yield async () => ({
      steps:
        upTo <= history.historyUpTo
          ? fresh
          : [...fresh, { ...end, run: (stepRequest) => noteProgress(stepRequest, from, upTo) }],
      ...{ unchanged, refused },
    });
  },
};

/** Builds the step of an event. It can be repeated, since the event has its id. */
function buildEventStep({ event }: ImportedEvent): MigrationStep {
  const writes = serviceEventWrites([event]).map(withoutCondition);
  return { name: event.type, outcome: 'created', writes, events: [] };
}

async function noteProgress(request: Request, from: string, historyUpTo: number): Promise<void> {
  const stored = await readItem<ServerItem>(request, importKeys.migratedServer(from));
  if (stored === undefined || stored.historyUpTo >= historyUpTo) return;
  const { blocks, version } = stored;
  const item = { blocks, version: version + 1, historyUpTo };
  await transact(request, [{ put: importKeys.migratedServer(from), item, when: { version } }], undefined);
}
