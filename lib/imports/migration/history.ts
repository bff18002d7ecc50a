import * as v from 'valibot';
import { sourceEventData } from '../../events/event.ts';
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

/** Number that no server comes near: ids up to it are set apart here. */
const sourceIdMax = 1_000_000_000_000;

/** Ids of a server and of events here: those up to `upTo`, and above the block before, have `base` added. */
interface Block {
  readonly upTo: number;
  readonly base: number;
}

/** State of the migration of a server's events. */
interface ServerItem {
  readonly version: number;
  /** JSON: Block[]. */
  readonly blocks: string;
  /** The last event of the server of which all that belong to no flag are here. */
  readonly historyUpTo: number;
}

/** The events of a server with the ids that they have here. */
export interface ServerHistory {
  /** Returns an event as it is kept here; undefined for what is none. */
  imported(sent: JsonObject): ImportedEvent | undefined;
  /** Returns those of a flag. */
  ofFeature(name: string): ImportedEvent[];
  readonly historyUpTo: number;
}

/** An event as it is kept here, and its id on the server. */
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
 * Gives the events of a server their ids here, for good: the same event has the same one each time, above all that were
 * given out before it was seen. A plan gives out none.
 */
export async function historyOf(migration: ServerMigration): Promise<ServerHistory> {
  const { source, request } = migration;
  const lastId = Math.min(sourceIdMax, source.copy.lastEventId);
  const { blocks, historyUpTo } = await retryLostRaces(request, () => blocksUpTo(migration, lastId));
  const imported = (sent: JsonObject) => importedEvent(sent, blocks, migration);
  return {
    imported,
    ofFeature: (name) => source.copy.eventsOf(name).flatMap((sent) => imported(sent) ?? []),
    historyUpTo,
  };
}

async function blocksUpTo({ request, from, isWriting }: ServerMigration, lastId: number) {
  const stored = await readItem<ServerItem>(request, importKeys.migratedServer(from));
  const { historyUpTo = 0, version = 0 } = stored ?? {};
  const blocks: Block[] = JSON.parse(stored?.blocks ?? '[]');
  const known = blocks.at(-1)?.upTo ?? 0;
  if (lastId <= known) return { blocks, historyUpTo };
  const base = isWriting ? (await takeEventIds(request, lastId - known)).first - known - 1 : 0;
  const next = [...blocks, { upTo: lastId, base }];
  if (isWriting) {
    const item = { version: version + 1, blocks: JSON.stringify(next), historyUpTo };
    const when = stored === undefined ? ('absent' as const) : { version };
    await transact(request, [{ put: importKeys.migratedServer(from), item, when }], undefined);
  }
  return { blocks: next, historyUpTo };
}

function importedEvent(
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
  const nameOf = (member: string) => {
    const value = sent[member];
    return typeof value === 'string' && value !== '*' && isName(value) ? value : null;
  };
  const event: Event = {
    id: sourceId + block.base,
    createdAt,
    type,
    createdBy,
    createdByUserId: createdByUserId === null ? null : (target.idOf('user', createdByUserId) ?? createdByUserId),
    environment: nameOf('environment'),
    project: nameOf('project'),
    featureName: nameOf('featureName'),
    ...marked(sent, sourceId),
    tags: [],
  };
  return { sourceId, event };
}

/** Returns the content of an event, marked as imported: with its id on the server, and without secrets. */
function marked({ data, preData }: JsonObject, sourceId: number): Pick<Event, 'data' | 'preData'> {
  const source = sourceEventData(sourceId);
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
  // The link of an invitation has it as well.
  const isShown = (value: unknown) => !secret || !String(value).includes(String(secret));
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => isShown(value)));
}

/** A part of the life of a name: the events of one flag that had it. */
interface Life {
  readonly events: readonly Event[];
  readonly firstEventId?: number;
}

/** Splits the events of a name where a flag was deleted: the next one of its name starts again. */
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

/** Returns a write that may be carried out again: written once more, an event of the past is the same. */
function repeatable(write: Write): Write {
  const { when: _when, ...rest } = write as Extract<Write, { readonly put: unknown }>;
  return rest;
}

/**
 * Returns the writes of the history of a name, which is the same each time, and what a new flag of the name counts on.
 * @param isFirst true if nothing here had the name before.
 */
export function historyWrites(name: string, events: readonly Event[], isFirst = true): { writes: Write[]; past: Past } {
  const lives = livesOf(events, isFirst);
  const writes = lives.flatMap(({ events: own, ...life }) =>
    featureEventWrites(name, own, { eventCount: 0, ...life }, []).map(repeatable),
  );
  const { events: own, firstEventId } = lives.at(-1) as Life;
  const past = {
    eventCount: own.length,
    lastEventId: own.at(-1)?.id ?? 0,
    ...(firstEventId !== undefined && { firstEventId }),
  };
  return { writes, past: { ...past, summaries: firstOn(own) } };
}

/** Returns when a flag was first switched on in each environment. */
function firstOn(events: readonly Event[]): NonNullable<Past['summaries']> {
  const first = new Map<string, string>();
  for (const { type, environment, createdAt } of events) {
    if (type === 'feature-environment-enabled' && environment !== null && !first.has(environment)) {
      first.set(environment, createdAt);
    }
  }
  const nothing = { enabled: false, strategies: 0, enabledStrategies: 0, variants: 0, version: 0 };
  return new Map([...first].map(([environment, at]) => [environment, { ...nothing, firstOn: at }]));
}

/** Steps hold as much as a transaction takes. */
const writesAtOnce = 80;

/** Returns the steps that write the history of a name before the flag itself. */
export function historySteps(name: string, writes: readonly Write[]): MigrationStep[] {
  return [...chunksOf(writes, writesAtOnce)].map((some) => ({
    name: `the history of ${name}`,
    writes: some,
    events: [],
  }));
}

const eventsAtOnce = 1_000;

/** History of all that is no flag. */
export const historyKind: ServerKind = {
  title: 'events of the past',
  decisions: async function* (migration) {
    const { from, source } = migration;
    const history = await historyOf(migration);
    const left: string[] = [];
    const unknown = new Map<string, number>();
    const fresh: MigrationStep[] = [];
    for (const sent of source.copy.events()) {
      const imported = history.imported(sent);
      const type = String(sent.type).slice(0, 100);
      if (imported === undefined) unknown.set(type, (unknown.get(type) ?? 0) + 1);
      else if (imported.event.featureName !== null) continue;
      else if (imported.sourceId <= history.historyUpTo) left.push(type);
      else fresh.push(pastStep(imported));
      if (fresh.length < eventsAtOnce) continue;
      const steps = fresh.splice(0);
      yield async () => ({ steps });
    }
    const refused = [...unknown].map(([type, amount]) => ({
      name: `${amount} events of the type ${type}`,
      reason: 'there are none of this type here, or they are none at all',
    }));
    const upTo = source.copy.lastEventId;
    const end = { name: 'the end of the history', events: [], writes: [] };
    yield async () => ({
      steps: upTo <= history.historyUpTo ? fresh : [...fresh, { ...end, run: (ours) => reach(ours, from, upTo) }],
      ...{ left, refused },
    });
  },
};

/** Written once more, an event is the same: it has its id. */
function pastStep({ event }: ImportedEvent): MigrationStep {
  const writes = serviceEventWrites([event]).map(repeatable);
  return { name: event.type, outcome: 'created', writes, events: [] };
}

async function reach(request: Request, from: string, historyUpTo: number): Promise<void> {
  const stored = await readItem<ServerItem>(request, importKeys.migratedServer(from));
  if (stored === undefined || stored.historyUpTo >= historyUpTo) return;
  const { blocks, version } = stored;
  const item = { blocks, version: version + 1, historyUpTo };
  await transact(request, [{ put: importKeys.migratedServer(from), item, when: { version } }], undefined);
}
