import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { change } from '../../../lib/entity/change.ts';
import { codec } from '../../../lib/entity/codec.ts';
import { entity } from '../../../lib/entity/entity.ts';
import { buildReferenceWrites, type Reference } from '../../../lib/entity/references.ts';
import { systemUser } from '../../../lib/events/actor.ts';
import type { Event } from '../../../lib/events/event-schema.ts';
import type { Request } from '../../../lib/request.ts';
import { keysIn } from '../../../lib/store/client/definition.ts';
import { newUsage } from '../../../lib/store/client/usage.ts';
import { LostRace, retryInQueue } from '../../../lib/store/transactions/retry.ts';
import { contentOf } from '../../harness/items.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { beforeRequests } from '../../harness/store-requests.ts';
import { underStoreRules } from '../../harness/store-rules.ts';
import { freshTable } from '../../harness/table.ts';
import { pointerProblems, referenceProblems } from '../../invariants/references.ts';

/** A thing with the number of the operation that wrote it. */
interface Lamp {
  readonly id: number;
  readonly name: string;
  readonly step: number;
}

/** A room needs its lamps. */
interface Room {
  readonly name: string;
  readonly lamps: readonly number[];
  readonly step: number;
}

const nameKey = keysIn({ pk: 'SEGMENTS', prefix: 'NAME#' });

const lamps = entity<Lamp, number>({
  kind: 'lamp',
  idOf: ({ id }) => id,
  partition: { pk: 'SEGMENTS', prefix: 'ID#' },
  codec: codec<Lamp>({}),
  unique: { name: nameKey },
  counter: 'segment',
  referable: true,
  events: { created: 'segment-created', updated: 'segment-updated', deleted: 'segment-deleted' },
  eventData: (lamp) => lamp,
});

const rooms = entity<Room, string>({
  kind: 'room',
  idOf: ({ name }) => name,
  partition: { pk: 'TAG_TYPES' },
  codec: codec<Room>({ lamps: true }),
  events: { created: 'tag-type-created', updated: 'tag-type-updated', deleted: 'tag-type-deleted' },
  eventData: (room) => room,
});

const lampName = fc.constantFrom('desk', 'floor', 'wall');
const lampId = fc.integer({ min: 1, max: 6 });
const roomName = fc.constantFrom('kitchen', 'hall');

const anyStep = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), name: lampName }),
  fc.record({ kind: fc.constant('rename' as const), id: lampId, name: lampName }),
  fc.record({ kind: fc.constant('remove' as const), id: lampId }),
  fc.record({ kind: fc.constant('furnish' as const), room: roomName, ids: fc.uniqueArray(lampId, { maxLength: 3 }) }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

function referencesOf(room: Room | undefined): Reference[] {
  const referrer = { by: String(room?.name), name: `the room "${room?.name}"` };
  return (room?.lamps ?? []).map((id) => ({ kind: 'lamp', id, target: lamps.keyOf(id), referrer }));
}

function furnish(table: Request, after: Room): Promise<unknown> {
  return change(table, systemUser, {
    items: [rooms.keyOf(after.name)],
    read: () => rooms.find(table, after.name),
    revisionOf: (found) => found,
    decide(found, at) {
      const { writes, events } =
        found === undefined ? rooms.buildCreationEffects(after, at, 'retry') : rooms.buildUpdateEffects(found, after);
      const references = buildReferenceWrites(referencesOf(found?.value), referencesOf(after));
      return { writes: [...writes, ...references], events, result: undefined };
    },
  });
}

function carryOut(table: Request, operation: Step, step: number): Promise<unknown> {
  switch (operation.kind) {
    case 'create':
      return lamps.create(table, systemUser, (_at, id) => ({ id, name: operation.name, step }));
    case 'rename':
      return lamps.update(table, systemUser, operation.id, (lamp) => ({ ...lamp, name: operation.name, step }));
    case 'remove':
      return lamps.remove(table, systemUser, operation.id);
    case 'furnish':
      return furnish(table, { name: operation.room, lamps: operation.ids, step });
  }
}

/** Refusals that other operations may cause; any other error is a failure. */
const refusals = ['NameExistsError', 'NotFoundError', 'InUseError'];

/** Replays events. The former state in each must be the state after the event before it. */
function replayed(events: readonly Event[], kind: 'segment' | 'tag-type', idOf: (data: object) => unknown) {
  const things = new Map<unknown, object>();
  for (const { type, data, preData } of events.filter((event) => event.type.startsWith(`${kind}-`))) {
    const id = idOf(data ?? preData ?? {});
    expect(things.get(id) ?? null, `what ${type} of ${id} found`).toEqual(preData);
    if (data === null) things.delete(id);
    else things.set(id, data);
  }
  return [...things.values()];
}

/** Delays reads at random, so that much happens between reads of the same moment. */
function delayReads(table: Request): void {
  beforeRequests(table, async (_input, command) => {
    if (command === 'BatchGetItem' || command === 'Query') await sleep(Math.random() * 8);
  });
}

const byStep = (a: object, b: object) => ('step' in a && 'step' in b ? Number(a.step) - Number(b.step) : 0);

test('Things that are created, renamed, referenced and removed concurrently agree with each other and with their events', async () => {
  const rounds = fc.array(fc.array(anyStep, { minLength: 2, maxLength: 8 }), {
    minLength: 3,
    maxLength: 6,
    size: 'max',
  });
  let conflicts = 0;
  const agree = fc.asyncProperty(rounds, async (plan) => {
    const table = await freshTable();
    delayReads(table);
    using rules = underStoreRules(table, { inFlightMs: 2 });
    const carriedOut: Step['kind'][] = [];
    const acknowledged: number[] = [];
    let steps = 0;
    for (const round of plan) {
      await Promise.all(
        round.map(async (operation) => {
          steps += 1;
          const step = steps;
          try {
            await carryOut(table, operation, step);
            carriedOut.push(operation.kind);
            if (operation.kind !== 'remove') acknowledged.push(step);
          } catch (error) {
            if (!(error instanceof Error && refusals.includes(error.name))) throw error;
          }
        }),
      );

      const events = await serviceEvents(table);
      const [allLamps, allRooms] = [await lamps.list(table), await rooms.list(table)];
      expect(replayed(events, 'segment', (lamp) => (lamp as Lamp).id).toSorted(byStep)).toEqual(
        allLamps.toSorted(byStep),
      );
      expect(replayed(events, 'tag-type', (room) => (room as Room).name).toSorted(byStep)).toEqual(
        allRooms.toSorted(byStep),
      );
      const recorded = events.flatMap(({ data }) => (data === null ? [] : [Number(data.step)]));
      expect(recorded.toSorted((a, b) => a - b)).toEqual(acknowledged.toSorted((a, b) => a - b));
      const gone = carriedOut.filter((kind) => kind === 'remove').length;
      expect(events.filter(({ data }) => data === null)).toHaveLength(gone);

      const items = await contentOf(table);
      expect(referenceProblems(items, { lamp: (id) => lamps.keyOf(Number(id)) })).toEqual([]);
      const referred = items.filter(({ pk, sk }) => pk.startsWith('REFERRERS#lamp#') && sk.startsWith('BY#'));
      expect(referred).toHaveLength(allRooms.flatMap((room) => room.lamps).length);
      const pointers = items.filter(({ sk }) => sk.startsWith('NAME#'));
      const things = allLamps.map(({ id, name }) => ({ id, pointers: [nameKey(name)] }));
      expect(pointerProblems(pointers, things)).toEqual([]);
    }
    conflicts += rules.counts.conflicts;
  });
  await fc.assert(agree, { numRuns: 3, endOnFailure: true });
  expect(conflicts).toBeGreaterThan(0);
});

test('Writers of one thing in a queue wait for the store twice: for the read and for the transaction', async () => {
  const table = await freshTable();
  const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isFirst = true;
  const inFront = retryInQueue(table, [rooms.keyOf('kitchen')], async () => {
    if (isFirst) {
      isFirst = false;
      throw new LostRace();
    }
    held.resolve();
    await free.promise;
  });
  await held.promise;
  const usages = [1, 2, 3].map((step) => {
    const usage = newUsage();
    return { usage, done: furnish({ ...table, usage }, { name: 'kitchen', lamps: [], step }) };
  });
  free.resolve();
  await Promise.all([inFront, ...usages.map(({ done }) => done)]);
  expect(usages.map(({ usage }) => usage)).toMatchObject(Array(3).fill({ requests: 3, waits: 2 }));
});
