import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { change } from '../../../lib/entity/change.ts';
import { codec } from '../../../lib/entity/codec.ts';
import { type ChangeUnit, mergeEffects } from '../../../lib/entity/effects.ts';
import { type Entity, entity } from '../../../lib/entity/entity.ts';
import * as entityKeys from '../../../lib/entity/keys.ts';
import { nameTakenError } from '../../../lib/entity/names.ts';
import {
  buildExistenceCheck,
  buildReferenceWrites,
  buildReferrerChecks,
  inUseError,
  type Reference,
} from '../../../lib/entity/references.ts';
import { stampChunks } from '../../../lib/entity/stamp-chunks.ts';
import { invalid } from '../../../lib/errors.ts';
import { systemUser } from '../../../lib/events/actor.ts';
import { EventIdPool } from '../../../lib/events/event-ids.ts';
import { type Request, withAllProjects } from '../../../lib/request.ts';
import type { Key } from '../../../lib/store/client/definition.ts';
import type { Write } from '../../../lib/store/transactions/write.ts';
import { freshTable } from '../../harness/table.ts';

interface Lamp {
  readonly name: string;
  readonly email?: string | null;
  readonly project: string | null;
  readonly colours: readonly string[];
  readonly isPrivate?: boolean;
  readonly aliases?: readonly string[];
  readonly sockets?: readonly string[];
  readonly watts?: number;
}

const at = (sk: string): Key => ({ pk: 'LAMPS', sk });
const revisionWrite: Write = { add: at('REVISION'), amounts: { r: 1 } };
const socket = (id: string, by: string, more: Partial<Reference> = {}): Reference => ({
  ...{ kind: 'socket', id, target: { pk: 'SOCKETS', sk: id }, ...more },
  referrer: { by, name: `the lamp "${by}"` },
});

const definition = {
  kind: 'lamp',
  idOf: ({ name }: Lamp) => name,
  keyOf: (name: string) => at(`ID#${name}`),
  partitions: [{ pk: 'LAMPS', prefix: 'ID#' }],
  ofKey: ({ sk }: Key) => ({ watts: sk.length }),
  codec: codec<Lamp>({ colours: true, aliases: true, sockets: true }),
  unique: { email: (email: string) => at(`EMAIL#${email}`) },
  furtherUniqueValues: ({ aliases = [] }: Lamp) =>
    aliases.map((value) => ({ key: at(`ALIAS#${value}`), property: 'alias', value })),
  flagItems: ({ name, isPrivate }: Lamp) => (isPrivate ? [at(`PRIVATE#${name}`)] : []),
  refersTo: ({ name, sockets = [] }: Lamp) => sockets.map((id) => socket(id, name)),
  extraWrites: [revisionWrite],
  referable: true,
  max: 3,
  events: {
    created: 'segment-created',
    updated: (_after: Lamp, before: Lamp | undefined) => (before?.isPrivate ? 'tag-type-updated' : 'segment-updated'),
    deleted: 'segment-deleted',
  },
  eventData: ({ name, colours }: Lamp) => ({ name, colours }),
  projectOf: ({ project }: Lamp) => project,
  environmentOf: ({ name }: Lamp) => (name === 'desk' ? 'production' : undefined),
} as const;
let lamps: Entity<Lamp, string>;
beforeEach(() => {
  lamps = entity<Lamp, string>(definition);
});

const now = '2026-01-01T00:00:00.000Z';
/** The first version of a thing that is created now. It contains the time, so that no earlier thing with the name has had it. */
const firstVersion = Date.parse(now) * 1_000 + 1;
const desk: Lamp = { name: 'desk', email: 'a@example.com', project: 'shop', colours: ['red'], aliases: ['table'] };
const stored = { value: desk, version: 4 };
const pointer = { id: 'desk', project: 'shop' };
/** Returns the error of a write for a failed condition. */
const errorOf = (write: Write | undefined) =>
  write !== undefined && 'otherwise' in write ? write.otherwise?.() : null;
const conditionOf = (write: Write) => ('when' in write ? write.when : undefined);
const withoutErrors = (writes: readonly Write[]) =>
  writes.map((write) => {
    const { otherwise: _otherwise, ...rest } = write as { otherwise?: unknown };
    return rest;
  });

describe('A creation', () => {
  const created = () => lamps.buildCreationEffects({ ...desk, isPrivate: true, sockets: ['s'] }, now);

  test('writes the thing, its pointers, its flag items and its references, on condition that they are new', () => {
    const { writes, version } = created();
    expect(version).toBe(firstVersion);
    expect(withoutErrors(writes)).toEqual([
      {
        put: at('ID#desk'),
        item: {
          ...{ name: 'desk', email: 'a@example.com', project: 'shop', colours: '["red"]', aliases: '["table"]' },
          ...{ isPrivate: true, sockets: '["s"]', version: firstVersion },
        },
        subject: 'lamp "desk"',
        when: 'absent',
      },
      { put: at('EMAIL#a@example.com'), item: pointer, when: 'absent' },
      { put: at('ALIAS#table'), item: pointer, when: 'absent' },
      { put: at('PRIVATE#desk'), item: {} },
      ...withoutErrors(buildReferenceWrites([], [socket('s', 'desk')])),
      revisionWrite,
    ]);
  });

  test('is refused with the name of the taken value, or decided again with `retry`', () => {
    const { writes } = created();
    expect(writes.slice(0, 3).map((write) => errorOf(write)?.message)).toEqual([
      'There is already a lamp with the id "desk".',
      'There is already a lamp with the email "a@example.com".',
      'There is already a lamp with the alias "table".',
    ]);
    expect(errorOf(writes[1])?.name).toBe('NameExistsError');
    for (const write of lamps.buildCreationEffects(desk, now, 'retry').writes)
      expect(errorOf(write) ?? null).toBeNull();
    const counted = entity<Lamp & { id: number }, number>({
      ...({ kind: 'lamp', events: {}, counter: 'segment' } as const),
      ...{ idOf: ({ id }) => id, codec: codec({ colours: true, aliases: true, sockets: true }) },
      ...{ eventData: (lamp) => lamp, unique: { name: (name) => at(`NAME#${name}`) } },
    });
    const own = counted.buildCreationEffects({ ...desk, id: 7 }, now);
    expect(own.writes.map((write) => errorOf(write)?.message)).toEqual([
      undefined,
      'There is already a lamp with the name "desk".',
    ]);
    expect(own.events).toEqual([]);
    // No two kinds share a key, though they share a partition.
    expect(own.writes[0]).toMatchObject({ put: { pk: 'ENTITIES', sk: 'LAMP#0000000000000007' } });
    expect(own.writes[1]).toMatchObject({ item: { id: 7 } });
    expect(own.writes[1]).not.toHaveProperty('item.project');
  });

  test('has an event with the data, the project and the environment of the thing', () => {
    const data = { name: 'desk', colours: ['red'] };
    expect(created().events).toEqual([{ type: 'segment-created', project: 'shop', environment: 'production', data }]);
    const [event] = lamps.buildCreationEffects({ ...desk, name: 'floor', project: null }, now).events;
    expect(event).toStrictEqual({ type: 'segment-created', data: { name: 'floor', colours: ['red'] } });
  });

  test('writes no pointer for a missing value', () => {
    const puts = (lamp: Lamp) => lamps.buildCreationEffects(lamp, now).writes.filter((write) => 'put' in write).length;
    expect([puts(desk), puts({ ...desk, email: null }), puts({ name: 'a', project: null, colours: [] })]).toEqual([
      3, 2, 1,
    ]);
  });
});

describe('An update', () => {
  const writesOf = (before: Partial<Lamp>, after: Partial<Lamp>) => {
    const { writes } = lamps.buildUpdateEffects({ value: { ...desk, ...before }, version: 4 }, { ...desk, ...after });
    return withoutErrors(writes.slice(1, -1));
  };

  test('writes the thing with its next version, on condition that it has the version that was read', () => {
    const { writes, events } = lamps.buildUpdateEffects(stored, { ...desk, colours: ['blue'] });
    expect(writes).toEqual([
      {
        put: at('ID#desk'),
        item: {
          ...{ name: 'desk', email: 'a@example.com', project: 'shop', colours: '["blue"]', aliases: '["table"]' },
          version: 5,
        },
        subject: 'lamp "desk"',
        when: { version: 4 },
      },
      revisionWrite,
    ]);
    const [data, preData] = [
      { name: 'desk', colours: ['blue'] },
      { name: 'desk', colours: ['red'] },
    ];
    expect(events).toEqual([{ type: 'segment-updated', project: 'shop', environment: 'production', data, preData }]);
    const wasPrivate = { value: { ...desk, isPrivate: true }, version: 4 };
    expect(lamps.buildUpdateEffects(wasPrivate, desk).events).toMatchObject([{ type: 'tag-type-updated' }]);
  });

  test('writes nothing if nothing changes', () => {
    expect(lamps.buildUpdateEffects(stored, { ...desk, colours: ['red'] })).toEqual({ writes: [], events: [] });
  });

  test('releases unique values, and reserves others', () => {
    expect(writesOf({}, { email: 'b@example.com', aliases: ['table', 'small'] })).toEqual([
      { remove: at('EMAIL#a@example.com') },
      { put: at('EMAIL#b@example.com'), item: pointer, when: 'absent' },
      { put: at('ALIAS#small'), item: pointer, when: 'absent' },
    ]);
    expect(writesOf({}, { email: null, aliases: [] })).toEqual([
      { remove: at('EMAIL#a@example.com') },
      { remove: at('ALIAS#table') },
    ]);
    const { writes } = lamps.buildUpdateEffects(stored, { ...desk, email: 'b@example.com' });
    expect(errorOf(writes[2])?.message).toBe('There is already a lamp with the email "b@example.com".');
  });

  test('writes the new project into the pointers', () => {
    const moved = { id: 'desk', project: 'office' };
    expect(writesOf({}, { project: 'office' })).toEqual([
      { put: at('EMAIL#a@example.com'), item: moved },
      { put: at('ALIAS#table'), item: moved },
    ]);
  });

  test('writes and removes flag items and references', () => {
    const none = { email: null, aliases: [] };
    expect(writesOf(none, { ...none, isPrivate: true })).toEqual([{ put: at('PRIVATE#desk'), item: {} }]);
    expect(writesOf({ ...none, isPrivate: true }, none)).toEqual([{ remove: at('PRIVATE#desk') }]);
    const wasPrivate = { ...none, isPrivate: true };
    expect(writesOf(wasPrivate, { ...wasPrivate, colours: [] })).toEqual([]);
    const flagItems = ({ project }: Lamp) => [{ pk: `LAMPS#${project}`, sk: 'MARK' }];
    const moved = entity<Lamp, string>({ ...definition, flagItems });
    const bare = { ...desk, ...none };
    expect(
      moved.buildUpdateEffects({ value: bare, version: 4 }, { ...bare, project: 'office' }).writes.slice(1, -1),
    ).toEqual([{ remove: { pk: 'LAMPS#shop', sk: 'MARK' } }, { put: { pk: 'LAMPS#office', sk: 'MARK' }, item: {} }]);
    expect(writesOf({ ...none, sockets: ['s', 't'] }, { ...none, sockets: ['t', 'u'] })).toEqual(
      withoutErrors(
        buildReferenceWrites([socket('s', 'desk'), socket('t', 'desk')], [socket('t', 'desk'), socket('u', 'desk')]),
      ),
    );
  });
});

describe('The condition of an update', () => {
  test('includes the properties that `touch` sets, even if they are missing', () => {
    const touched = entity<Lamp, string>({ ...definition, touchedProperties: ['watts', 'isPrivate'] });
    const value = { ...desk, watts: 40 };
    const when = { version: 4, same: { watts: 40, isPrivate: undefined } };
    const [write] = touched.buildUpdateEffects({ value, version: 4 }, { ...value, colours: [] }).writes;
    expect(write).toMatchObject({ when });
    expect(touched.buildRenewalWrite({ value, version: 4 })).toMatchObject({ when });
  });
});

describe('A removal', () => {
  const whole = { value: { ...desk, isPrivate: true, sockets: ['s'] }, version: 4 };

  test('removes everything that the creation wrote, on condition that nobody refers to the thing', () => {
    const { writes, events } = lamps.buildRemovalEffects(whole);
    expect(writes).toEqual([
      { remove: at('ID#desk'), when: { version: 4 } },
      { remove: at('EMAIL#a@example.com') },
      { remove: at('ALIAS#table') },
      { remove: at('PRIVATE#desk') },
      ...buildReferenceWrites([socket('s', 'desk')], []),
      ...buildReferrerChecks('lamp', 'desk', []),
      revisionWrite,
    ]);
    const preData = { name: 'desk', colours: ['red'] };
    expect(events).toEqual([{ type: 'segment-deleted', project: 'shop', environment: 'production', preData }]);
  });

  test('keeps lasting flag items, and has no condition on referrers for a kind without them', () => {
    const { referable: _referable, extraWrites: _extraWrites, flagItems: lastingFlagItems, ...rest } = definition;
    const others = entity<Lamp, string>({ ...rest, lastingFlagItems });
    expect(others.buildRemovalEffects({ value: { ...desk, isPrivate: true }, version: 4 }).writes).toEqual([
      { remove: at('ID#desk'), when: { version: 4 } },
      { remove: at('EMAIL#a@example.com') },
      { remove: at('ALIAS#table') },
    ]);
  });
});

describe('A read', () => {
  let table: Request;
  beforeAll(async () => {
    table = await freshTable();
    const { create } = entity<Lamp, string>(definition);
    await create(table, systemUser, () => desk);
    await create(table, systemUser, () => ({ name: 'floor', project: null, colours: [] }));
  });
  const watts = (name: string) => `ID#${name}`.length;

  test('includes the properties in the key, and the last event', async () => {
    expect(await lamps.find(table, 'floor')).toMatchObject({ value: { watts: watts('floor') } });
    expect((await lamps.find(table, 'floor'))?.lastEventId).toEqual(expect.any(Number));
  });

  test('picks things from other items by their keys', () => {
    const items = [at('ID#a'), at('EMAIL#a'), { pk: 'OTHERS', sk: 'ID#b' }].map((key) => ({ ...key, name: key.sk }));
    expect(lamps.decodeAmong(table, items)).toMatchObject([{ name: 'ID#a' }]);
    const partitions = [...definition.partitions, { pk: 'OTHERS' }];
    const spread = entity<Lamp, string>({ ...definition, partitions });
    expect(spread.decodeAmong(table, items)).toMatchObject([{ name: 'ID#a' }, { name: 'ID#b' }]);
    const unrecorded = { ...at('ID#c'), name: 'c', version: 1 };
    expect(lamps.decodeVersionedAmong(table, [unrecorded])).toStrictEqual([
      { value: { name: 'c', watts: 4 }, version: 1 },
    ]);
  });

  test('includes things of hidden projects with `withAllProjects`', async () => {
    const hidden = { ...table, hiddenProjects: new Set(['shop']) };
    expect(await lamps.find(withAllProjects(hidden), 'desk')).toMatchObject({ value: { name: 'desk' } });
    await expect(lamps.load(hidden, 'desk')).rejects.toMatchObject({
      ...{ name: 'NotFoundError', message: expect.stringMatching(/lamp.*"desk"/) },
    });
    expect([...(await lamps.findSome(table, ['desk', 'floor', 'desk'])).keys()]).toEqual(['desk', 'floor']);
  });

  test('requests nothing for an invalid name, unless ids are free text', async () => {
    const free = entity<Lamp, string>({ ...definition, freeIds: true });
    const recorded = { ...table, store: { ...table.store, name: 'no such table' } };
    expect(await lamps.find(recorded, 'a/b')).toBeUndefined();
    expect(await lamps.findSome(recorded, ['a/b', ''])).toEqual(new Map());
    await expect(free.find(recorded, 'a/b')).rejects.toThrow();
  });

  test('finds taken names and a reached maximum', async () => {
    await lamps.requireFreeName(table, 'wall');
    await expect(lamps.requireFreeName(table, 'desk')).rejects.toMatchObject({
      message: 'There is already a lamp with the name "desk".',
    });
    const named = entity<Lamp, string>({ ...definition, unique: { name: (name) => at(`EMAIL#${name}`) } });
    await expect(named.requireFreeName(table, 'a@example.com')).rejects.toMatchObject({ name: 'NameExistsError' });
    await named.requireFreeName(table, 'desk');
    const further: Write = { put: at('FURTHER'), item: {}, when: 'absent' };
    await lamps.create(
      table,
      systemUser,
      (_at, _id, others) => ({ ...desk, name: `wall${others.length}`, email: null, aliases: [] }),
      [further],
    );
    expect(await lamps.find(table, 'wall2')).toBeDefined();
    // Those count, too, that the caller must not see.
    for (const caller of [table, { ...table, hiddenProjects: new Set(['shop']) }]) {
      await expect(lamps.create(caller, systemUser, () => ({ ...desk, name: 'fourth' }))).rejects.toMatchObject({
        name: 'ValidationError',
        message: 'At most 3 lamps are allowed.',
      });
    }
  });
});

describe('A reference', () => {
  test('is counted, and requires its target', () => {
    const [check, put, count] = buildReferenceWrites([], [socket('s', 'desk')]);
    expect(check).toMatchObject({ check: { pk: 'SOCKETS', sk: 's' }, when: 'present' });
    expect(errorOf(check)).toMatchObject({ name: 'NotFoundError', message: expect.stringMatching(/socket.*"s"/) });
    expect(put).toEqual({ put: entityKeys.referrer('socket', 's', 'desk'), item: { name: 'the lamp "desk"' } });
    expect(count).toMatchObject({ amounts: { amount: 1 } });
    const [removal, discount] = buildReferenceWrites([socket('s', 'desk')], []);
    expect(removal).toEqual({ remove: entityKeys.referrer('socket', 's', 'desk') });
    expect(discount).toEqual({ ...count, amounts: { amount: -1 } });
    const error = nameTakenError('socket', 'id', 's');
    expect(errorOf(buildReferenceWrites([], [socket('s', 'desk', { otherwise: () => error })])[0])).toBe(error);
    const { target: _target, ...loose } = socket('s', 'desk');
    expect(buildReferenceWrites([], [loose])).toHaveLength(2);
    expect(errorOf(buildExistenceCheck('socket', 's', at('s')))?.name).toBe('NotFoundError');
  });

  test('requires that its target belongs to its project, also after a change of the project', () => {
    const inShop = socket('s', 'desk', { project: 'shop' });
    const check = { check: { pk: 'SOCKETS', sk: 's' }, when: { forProject: 'shop' } };
    expect(buildReferenceWrites([], [inShop])[0]).toEqual(check);
    const renamed = { ...inShop, referrer: { ...inShop.referrer, name: 'another' } };
    expect(buildReferenceWrites([socket('s', 'desk')], [renamed])).toMatchObject([
      check,
      { item: { name: 'another' } },
    ]);
    expect(buildReferenceWrites([inShop], [renamed])).toMatchObject([{ item: { name: 'another' } }]);
    const { target: _target, ...loose } = inShop;
    expect(buildReferenceWrites([], [loose])).toHaveLength(2);
  });

  test('is written again only if it changes', () => {
    const one = socket('s', 'desk');
    expect(buildReferenceWrites([one], [socket('s', 'desk')])).toEqual([]);
    const renamed = { ...one, referrer: { ...one.referrer, details: { project: 'shop' } } };
    expect(buildReferenceWrites([one], [renamed])).toEqual([
      {
        put: entityKeys.referrer('socket', 's', 'desk'),
        item: { name: 'the lamp "desk"', details: '{"project":"shop"}' },
      },
    ]);
  });

  test('is always counted in the same of several items, and a removal requires all of these counts', () => {
    const referrers = Array.from({ length: 40 }, (_, index) => ({ by: `lamp-${index}`, name: '' }));
    const counts = new Map<string, number>();
    for (const { by } of referrers) {
      const [write] = buildReferenceWrites([], [socket('s', by)]).filter((each) => 'add' in each);
      const sk = write !== undefined && 'add' in write ? `${write.add.pk} ${write.add.sk}` : '';
      counts.set(sk, (counts.get(sk) ?? 0) + 1);
    }
    expect(counts.size).toBe(entityKeys.referrerShards);
    const checks = buildReferrerChecks('socket', 's', referrers);
    expect(
      new Map(checks.map((each) => ['check' in each ? `${each.check.pk} ${each.check.sk}` : '', conditionOf(each)])),
    ).toEqual(new Map([...counts].map(([sk, amount]) => [sk, { amount }])));
    expect(buildReferrerChecks('socket', 's', []).map(conditionOf)).toEqual(
      Array(entityKeys.referrerShards).fill({ amount: 0 }),
    );
  });

  test('is named in an error with at most nine others; further and hidden ones are counted', () => {
    const referrers = Array.from({ length: 12 }, (_, index) => ({
      ...{ by: `${index}`, name: `n${index}` },
      ...(index > 0 && { details: { project: index === 1 ? 'secret' : 'shop' } }),
    }));
    const table = { hiddenProjects: new Set(['secret']) } as unknown as Request;
    expect(inUseError(table, 'It is in use', referrers)).toMatchObject({
      name: 'InUseError',
      message: 'It is in use: n0, n2, n3, n4, n5, n6, n7, n8, n9, n10, 2 more.',
    });
    expect(inUseError(table, 'It is in use', referrers.slice(0, 2)).message).toBe('It is in use: n0, 1 more.');
    expect(inUseError(table, 'It is in use', referrers.slice(0, 1)).message).toBe('It is in use: n0.');
    expect(inUseError(table, 'It is in use', referrers.slice(1, 2)).message).toBe('It is in use: 1 elsewhere.');
    expect(nameTakenError('addon', 'id', 7).message).toBe('There is already an addon with the id "7".');
    expect(nameTakenError('lamp', 'name', 'x'.repeat(101)).message).toContain(`"${'x'.repeat(100)}"`);
  });
});

test('What an item holds is the thing: nested properties as JSON, and nothing of its key and its version', () => {
  const lamp = codec<Lamp>({ colours: true, aliases: true, sockets: true });
  expect(lamp.encode({ ...desk, sockets: undefined } as never)).toMatchObject({ name: 'desk', colours: '["red"]' });
  const item = { watts: 5, ...at('x'), version: 3, lastEventId: 9, name: 'desk', colours: '["red"]', later: 'kept' };
  expect(lamp.decode(item)).toEqual({ name: 'desk', colours: ['red'], watts: 5, later: 'kept' });
  expect(Object.keys(lamp.decode(item))).toEqual(['colours', 'later', 'name', 'watts']);
});

describe('A change', () => {
  const expecting = async (version: number | undefined, subject?: string) =>
    change({ ...(await freshTable()), expectedVersions: new Set([1]) }, systemUser, {
      ...{ items: [], read: async () => undefined },
      ...(subject !== undefined && { subject }),
      revisionOf: () => (version === undefined ? undefined : { version }),
      decide: () => ({ writes: [], events: [], result: 'nothing' }),
    });

  test('of another version than expected is refused with the name of the thing', async () => {
    expect(await expecting(1)).toBe('nothing');
    for (const version of [2, undefined]) {
      await expect(expecting(version)).rejects.toMatchObject({
        name: 'PreconditionFailed',
        message: 'It was changed after you read it; read it again.',
      });
    }
    await expect(expecting(2, 'lamp "desk"')).rejects.toThrow('The lamp "desk" was changed after you read it');
  });

  test('of several things has all their effects, in order', () => {
    const [first, second] = [{ type: 'segment-created' }, { type: 'segment-updated' }] as const;
    const remove = { remove: at('x') };
    const all = [
      { writes: [revisionWrite], events: [first] },
      { writes: [remove], events: [second] },
    ];
    expect(mergeEffects(all)).toEqual({ writes: [revisionWrite, remove], events: [first, second] });
  });

  test('of several units has event ids in the order of the units', async () => {
    const table = await freshTable();
    const units: ChangeUnit[] = [
      { subject: 'a', writes: [revisionWrite], events: [{ type: 'segment-created' }, { type: 'segment-updated' }] },
      { subject: 'b', writes: [], events: [] },
      { subject: 'c', writes: [], events: [{ type: 'segment-created' }] },
    ];
    const ids = new EventIdPool(table, { first: 7, last: 9 });
    const [a, c, ...others] = await stampChunks(table, { units: [units] }, { ids, actor: systemUser, at: now });
    expect(others).toEqual([]);
    expect([a?.subject, a?.writes[0], a?.writes.length]).toEqual(['a', revisionWrite, 2]);
    const eventsIn = (writes: readonly Write[] = []) =>
      writes.flatMap((write) => ('put' in write ? JSON.parse(String(write.item.events)) : []));
    expect(eventsIn(a?.writes)).toMatchObject([{ id: 7, createdAt: now }, { id: 8 }]);
    expect(eventsIn(c?.writes)).toMatchObject([{ id: 9 }]);
  });

  test('of a feature with schedules is not stored by a request without `effectsOf`', async () => {
    const table = await freshTable();
    const unit: ChangeUnit = {
      subject: 'feature "a"',
      writes: [],
      events: [{ type: 'feature-archived', featureName: 'a' }],
      flag: { schedules: '[1]' },
    };
    const ids = new EventIdPool(table, { first: 1, last: 1 });
    await expect(stampChunks(table, { units: [[unit]] }, { ids, actor: systemUser, at: now })).rejects.toThrow();
  });

  test('of several units is refused with all their problems', async () => {
    const table = await freshTable();
    const refusing = (subject: string): ChangeUnit => ({
      subject,
      writes: [],
      events: [],
      record: () => {
        throw invalid(`${subject} is too large.`);
      },
    });
    const ids = new EventIdPool(table, { first: 1, last: 1 });
    const units = [[refusing('a'), refusing('b')], [refusing('c')]];
    const refusal = stampChunks(table, { units }, { ids, actor: systemUser, at: now });
    await expect(refusal).rejects.toMatchObject({
      details: [{ message: 'a is too large.' }, { message: 'b is too large.' }, { message: 'c is too large.' }],
    });
  });
});
