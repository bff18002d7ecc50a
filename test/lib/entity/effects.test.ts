import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { change } from '../../../lib/entity/change.ts';
import { codec } from '../../../lib/entity/codec.ts';
import { type ChangeUnit, mergeEffects } from '../../../lib/entity/effects.ts';
import { type Entity, entity } from '../../../lib/entity/entity.ts';
import * as entityKeys from '../../../lib/entity/keys.ts';
import { nameTakenError } from '../../../lib/entity/names.ts';
import {
  existenceCheck,
  inUseError,
  type Reference,
  referenceWrites,
  referrerChecks,
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
const besides: Write = { add: at('REVISION'), amounts: { r: 1 } };
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
  claims: ({ aliases = [] }: Lamp) => aliases.map((value) => ({ key: at(`ALIAS#${value}`), property: 'alias', value })),
  marks: ({ name, isPrivate }: Lamp) => (isPrivate ? [at(`PRIVATE#${name}`)] : []),
  refersTo: ({ name, sockets = [] }: Lamp) => sockets.map((id) => socket(id, name)),
  besides: [besides],
  referable: true,
  max: 3,
  events: {
    created: 'segment-created',
    updated: (_after: Lamp, before: Lamp | undefined) => (before?.isPrivate ? 'tag-type-updated' : 'segment-updated'),
    deleted: 'segment-deleted',
  },
  shown: ({ name, colours }: Lamp) => ({ name, colours }),
  projectOf: ({ project }: Lamp) => project,
  environmentOf: ({ name }: Lamp) => (name === 'desk' ? 'production' : undefined),
} as const;
let lamps: Entity<Lamp, string>;
beforeEach(() => {
  lamps = entity<Lamp, string>(definition);
});

const now = '2026-01-01T00:00:00.000Z';
/** First version of a thing created now: it begins with the time, so that no earlier thing of its name has had it. */
const firstVersion = Date.parse(now) * 1_000 + 1;
const desk: Lamp = { name: 'desk', email: 'a@example.com', project: 'shop', colours: ['red'], aliases: ['table'] };
const stored = { value: desk, version: 4 };
const pointer = { id: 'desk', project: 'shop' };
/** The error that a write means when its condition fails. */
const errorOf = (write: Write | undefined) =>
  write !== undefined && 'otherwise' in write ? write.otherwise?.() : null;
const conditionOf = (write: Write) => ('when' in write ? write.when : undefined);
const withoutErrors = (writes: readonly Write[]) =>
  writes.map((write) => {
    const { otherwise: _otherwise, ...rest } = write as { otherwise?: unknown };
    return rest;
  });

describe('What a creation writes', () => {
  const created = () => lamps.created({ ...desk, isPrivate: true, sockets: ['s'] }, now);

  test('is the thing, what leads to it by its unique values, its marks and its references, each only where it is new', () => {
    const { writes, version } = created();
    expect(version).toBe(firstVersion);
    expect(withoutErrors(writes)).toEqual([
      {
        put: at('ID#desk'),
        item: {
          ...{ name: 'desk', email: 'a@example.com', project: 'shop', colours: '["red"]', aliases: '["table"]' },
          ...{ isPrivate: true, sockets: '["s"]', version: firstVersion },
        },
        what: 'lamp "desk"',
        when: 'absent',
      },
      { put: at('EMAIL#a@example.com'), item: pointer, when: 'absent' },
      { put: at('ALIAS#table'), item: pointer, when: 'absent' },
      { put: at('PRIVATE#desk'), item: {} },
      ...withoutErrors(referenceWrites([], [socket('s', 'desk')])),
      besides,
    ]);
  });

  test('is refused by the name of what is taken, or decided again where that is asked for', () => {
    const { writes } = created();
    expect(writes.slice(0, 3).map((write) => errorOf(write)?.message)).toEqual([
      'There is already a lamp with the id "desk".',
      'There is already a lamp with the email "a@example.com".',
      'There is already a lamp with the alias "table".',
    ]);
    expect(errorOf(writes[1])?.name).toBe('NameExistsError');
    for (const write of lamps.created(desk, now, 'retry').writes) expect(errorOf(write) ?? null).toBeNull();
    const counted = entity<Lamp & { id: number }, number>({
      ...({ kind: 'lamp', events: {}, counter: 'segment' } as const),
      ...{ idOf: ({ id }) => id, codec: codec({ colours: true, aliases: true, sockets: true }) },
      ...{ shown: (lamp) => lamp, unique: { name: (name) => at(`NAME#${name}`) } },
    });
    const own = counted.created({ ...desk, id: 7 }, now);
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

  test('has an event that shows it, with its project and its environment where it has them', () => {
    const data = { name: 'desk', colours: ['red'] };
    expect(created().events).toEqual([{ type: 'segment-created', project: 'shop', environment: 'production', data }]);
    const [event] = lamps.created({ ...desk, name: 'floor', project: null }, now).events;
    expect(event).toStrictEqual({ type: 'segment-created', data: { name: 'floor', colours: ['red'] } });
  });

  test('leads to it by no value that it lacks', () => {
    const puts = (lamp: Lamp) => lamps.created(lamp, now).writes.filter((write) => 'put' in write).length;
    expect([puts(desk), puts({ ...desk, email: null }), puts({ name: 'a', project: null, colours: [] })]).toEqual([
      3, 2, 1,
    ]);
  });
});

describe('What a change writes', () => {
  const writesOf = (before: Partial<Lamp>, after: Partial<Lamp>) => {
    const { writes } = lamps.updated({ value: { ...desk, ...before }, version: 4 }, { ...desk, ...after });
    return withoutErrors(writes.slice(1, -1));
  };

  test('is the thing with its next version, as long as it has the one that was read', () => {
    const { writes, events } = lamps.updated(stored, { ...desk, colours: ['blue'] });
    expect(writes).toEqual([
      {
        put: at('ID#desk'),
        item: {
          ...{ name: 'desk', email: 'a@example.com', project: 'shop', colours: '["blue"]', aliases: '["table"]' },
          version: 5,
        },
        what: 'lamp "desk"',
        when: { version: 4 },
      },
      besides,
    ]);
    const [data, preData] = [
      { name: 'desk', colours: ['blue'] },
      { name: 'desk', colours: ['red'] },
    ];
    expect(events).toEqual([{ type: 'segment-updated', project: 'shop', environment: 'production', data, preData }]);
    const wasPrivate = { value: { ...desk, isPrivate: true }, version: 4 };
    expect(lamps.updated(wasPrivate, desk).events).toMatchObject([{ type: 'tag-type-updated' }]);
  });

  test('is nothing where it is that already', () => {
    expect(lamps.updated(stored, { ...desk, colours: ['red'] })).toEqual({ writes: [], events: [] });
  });

  test('gives up unique values, and takes others', () => {
    expect(writesOf({}, { email: 'b@example.com', aliases: ['table', 'small'] })).toEqual([
      { remove: at('EMAIL#a@example.com') },
      { put: at('EMAIL#b@example.com'), item: pointer, when: 'absent' },
      { put: at('ALIAS#small'), item: pointer, when: 'absent' },
    ]);
    expect(writesOf({}, { email: null, aliases: [] })).toEqual([
      { remove: at('EMAIL#a@example.com') },
      { remove: at('ALIAS#table') },
    ]);
    const { writes } = lamps.updated(stored, { ...desk, email: 'b@example.com' });
    expect(errorOf(writes[2])?.message).toBe('There is already a lamp with the email "b@example.com".');
  });

  test('tells what leads to it where it is now', () => {
    const moved = { id: 'desk', project: 'office' };
    expect(writesOf({}, { project: 'office' })).toEqual([
      { put: at('EMAIL#a@example.com'), item: moved },
      { put: at('ALIAS#table'), item: moved },
    ]);
  });

  test('sets and removes marks, and changes what it refers to', () => {
    const none = { email: null, aliases: [] };
    expect(writesOf(none, { ...none, isPrivate: true })).toEqual([{ put: at('PRIVATE#desk'), item: {} }]);
    expect(writesOf({ ...none, isPrivate: true }, none)).toEqual([{ remove: at('PRIVATE#desk') }]);
    const wasPrivate = { ...none, isPrivate: true };
    expect(writesOf(wasPrivate, { ...wasPrivate, colours: [] })).toEqual([]);
    const marks = ({ project }: Lamp) => [{ pk: `LAMPS#${project}`, sk: 'MARK' }];
    const moved = entity<Lamp, string>({ ...definition, marks });
    const bare = { ...desk, ...none };
    expect(moved.updated({ value: bare, version: 4 }, { ...bare, project: 'office' }).writes.slice(1, -1)).toEqual([
      { remove: { pk: 'LAMPS#shop', sk: 'MARK' } },
      { put: { pk: 'LAMPS#office', sk: 'MARK' }, item: {} },
    ]);
    expect(writesOf({ ...none, sockets: ['s', 't'] }, { ...none, sockets: ['t', 'u'] })).toEqual(
      withoutErrors(
        referenceWrites([socket('s', 'desk'), socket('t', 'desk')], [socket('t', 'desk'), socket('u', 'desk')]),
      ),
    );
  });
});

describe('What a change rests on', () => {
  test('is what is set between two versions, too, or that it is not set', () => {
    const touched = entity<Lamp, string>({ ...definition, touched: ['watts', 'isPrivate'] });
    const value = { ...desk, watts: 40 };
    const when = { version: 4, same: { watts: 40, isPrivate: undefined } };
    const [write] = touched.updated({ value, version: 4 }, { ...value, colours: [] }).writes;
    expect(write).toMatchObject({ when });
    expect(touched.renewed({ value, version: 4 })).toMatchObject({ when });
  });
});

describe('What a removal writes', () => {
  const whole = { value: { ...desk, isPrivate: true, sockets: ['s'] }, version: 4 };

  test('takes away all that a creation made, as long as nobody refers to it', () => {
    const { writes, events } = lamps.removed(whole);
    expect(writes).toEqual([
      { remove: at('ID#desk'), when: { version: 4 } },
      { remove: at('EMAIL#a@example.com') },
      { remove: at('ALIAS#table') },
      { remove: at('PRIVATE#desk') },
      ...referenceWrites([socket('s', 'desk')], []),
      ...referrerChecks('lamp', 'desk', []),
      besides,
    ]);
    const preData = { name: 'desk', colours: ['red'] };
    expect(events).toEqual([{ type: 'segment-deleted', project: 'shop', environment: 'production', preData }]);
  });

  test('leaves marks that are to stay, and asks for no referrers of what nobody refers to', () => {
    const { referable: _referable, besides: _besides, marks: lastingMarks, ...rest } = definition;
    const others = entity<Lamp, string>({ ...rest, lastingMarks });
    expect(others.removed({ value: { ...desk, isPrivate: true }, version: 4 }).writes).toEqual([
      { remove: at('ID#desk'), when: { version: 4 } },
      { remove: at('EMAIL#a@example.com') },
      { remove: at('ALIAS#table') },
    ]);
  });
});

describe('Things that are read', () => {
  let table: Request;
  beforeAll(async () => {
    table = await freshTable();
    const { create } = entity<Lamp, string>(definition);
    await create(table, systemUser, () => desk);
    await create(table, systemUser, () => ({ name: 'floor', project: null, colours: [] }));
  });
  const watts = (name: string) => `ID#${name}`.length;

  test('have what their key says, and their last event', async () => {
    expect(await lamps.find(table, 'floor')).toMatchObject({ value: { watts: watts('floor') } });
    expect((await lamps.find(table, 'floor'))?.lastEventId).toEqual(expect.any(Number));
  });

  test('are picked from among others by where they are', () => {
    const items = [at('ID#a'), at('EMAIL#a'), { pk: 'OTHERS', sk: 'ID#b' }].map((key) => ({ ...key, name: key.sk }));
    expect(lamps.among(table, items)).toMatchObject([{ name: 'ID#a' }]);
    const partitions = [...definition.partitions, { pk: 'OTHERS' }];
    const spread = entity<Lamp, string>({ ...definition, partitions });
    expect(spread.among(table, items)).toMatchObject([{ name: 'ID#a' }, { name: 'ID#b' }]);
    const unrecorded = { ...at('ID#c'), name: 'c', version: 1 };
    expect(lamps.versionedAmong(table, [unrecorded])).toStrictEqual([{ value: { name: 'c', watts: 4 }, version: 1 }]);
  });

  test('are there where everything is asked for, though the caller must not see their project', async () => {
    const hidden = { ...table, hiddenProjects: new Set(['shop']) };
    expect(await lamps.find(withAllProjects(hidden), 'desk')).toMatchObject({ value: { name: 'desk' } });
    await expect(lamps.load(hidden, 'desk')).rejects.toMatchObject({
      ...{ name: 'NotFoundError', message: expect.stringMatching(/lamp.*"desk"/) },
    });
    expect([...(await lamps.some(table, ['desk', 'floor', 'desk'])).keys()]).toEqual(['desk', 'floor']);
  });

  test('are looked up only under what can be a name, unless their ids are free text', async () => {
    const free = entity<Lamp, string>({ ...definition, freeIds: true });
    const recorded = { ...table, store: { ...table.store, name: 'no such table' } };
    expect(await lamps.find(recorded, 'a/b')).toBeUndefined();
    expect(await lamps.some(recorded, ['a/b', ''])).toEqual(new Map());
    await expect(free.find(recorded, 'a/b')).rejects.toThrow();
  });

  test('are so many at the most, and bear a name that is free', async () => {
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
  test('is counted beside it, and needs what it refers to', () => {
    const [check, put, count] = referenceWrites([], [socket('s', 'desk')]);
    expect(check).toMatchObject({ check: { pk: 'SOCKETS', sk: 's' }, when: 'present' });
    expect(errorOf(check)).toMatchObject({ name: 'NotFoundError', message: expect.stringMatching(/socket.*"s"/) });
    expect(put).toEqual({ put: entityKeys.referrer('socket', 's', 'desk'), item: { name: 'the lamp "desk"' } });
    expect(count).toMatchObject({ amounts: { amount: 1 } });
    const [removal, discount] = referenceWrites([socket('s', 'desk')], []);
    expect(removal).toEqual({ remove: entityKeys.referrer('socket', 's', 'desk') });
    expect(discount).toEqual({ ...count, amounts: { amount: -1 } });
    const error = nameTakenError('socket', 'id', 's');
    expect(errorOf(referenceWrites([], [socket('s', 'desk', { otherwise: () => error })])[0])).toBe(error);
    const { target: _target, ...loose } = socket('s', 'desk');
    expect(referenceWrites([], [loose])).toHaveLength(2);
    expect(errorOf(existenceCheck('socket', 's', at('s')))?.name).toBe('NotFoundError');
  });

  test('holds to the project for which its thing has to be, and to another one where that changes', () => {
    const inShop = socket('s', 'desk', { project: 'shop' });
    const check = { check: { pk: 'SOCKETS', sk: 's' }, when: { forProject: 'shop' } };
    expect(referenceWrites([], [inShop])[0]).toEqual(check);
    const renamed = { ...inShop, referrer: { ...inShop.referrer, name: 'another' } };
    expect(referenceWrites([socket('s', 'desk')], [renamed])).toMatchObject([check, { item: { name: 'another' } }]);
    expect(referenceWrites([inShop], [renamed])).toMatchObject([{ item: { name: 'another' } }]);
    const { target: _target, ...loose } = inShop;
    expect(referenceWrites([], [loose])).toHaveLength(2);
  });

  test('that stays is written again only where it says something else', () => {
    const one = socket('s', 'desk');
    expect(referenceWrites([one], [socket('s', 'desk')])).toEqual([]);
    const renamed = { ...one, referrer: { ...one.referrer, details: { project: 'shop' } } };
    expect(referenceWrites([one], [renamed])).toEqual([
      {
        put: entityKeys.referrer('socket', 's', 'desk'),
        item: { name: 'the lamp "desk"', details: '{"project":"shop"}' },
      },
    ]);
  });

  test('is counted in one of several items, always the same, and a removal expects each of these counts', () => {
    const referrers = Array.from({ length: 40 }, (_, index) => ({ by: `lamp-${index}`, name: '' }));
    const counts = new Map<string, number>();
    for (const { by } of referrers) {
      const [write] = referenceWrites([], [socket('s', by)]).filter((each) => 'add' in each);
      const sk = write !== undefined && 'add' in write ? `${write.add.pk} ${write.add.sk}` : '';
      counts.set(sk, (counts.get(sk) ?? 0) + 1);
    }
    expect(counts.size).toBe(entityKeys.referrerShards);
    const checks = referrerChecks('socket', 's', referrers);
    expect(
      new Map(checks.map((each) => ['check' in each ? `${each.check.pk} ${each.check.sk}` : '', conditionOf(each)])),
    ).toEqual(new Map([...counts].map(([sk, amount]) => [sk, { amount }])));
    expect(referrerChecks('socket', 's', []).map(conditionOf)).toEqual(
      Array(entityKeys.referrerShards).fill({ amount: 0 }),
    );
  });

  test('is named in an error with nine others, and counted where it must not be seen or is one more', () => {
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
  const expecting = async (version: number | undefined, what?: string) =>
    change({ ...(await freshTable()), expectedVersions: new Set([1]) }, systemUser, {
      ...{ of: [], read: async () => undefined },
      ...(what !== undefined && { what }),
      revisionOf: () => (version === undefined ? undefined : { version }),
      decide: () => ({ writes: [], events: [], result: 'nothing' }),
    });

  test('of another version than is expected is refused by the name of the thing', async () => {
    expect(await expecting(1)).toBe('nothing');
    for (const version of [2, undefined]) {
      await expect(expecting(version)).rejects.toMatchObject({
        name: 'PreconditionFailed',
        message: 'It was changed after you read it; read it again.',
      });
    }
    await expect(expecting(2, 'lamp "desk"')).rejects.toThrow('The lamp "desk" was changed after you read it');
  });

  test('of several things has the effects of all, in their order', () => {
    const [first, second] = [{ type: 'segment-created' }, { type: 'segment-updated' }] as const;
    const remove = { remove: at('x') };
    const all = [
      { writes: [besides], events: [first] },
      { writes: [remove], events: [second] },
    ];
    expect(mergeEffects(all)).toEqual({ writes: [besides, remove], events: [first, second] });
  });

  test('of several units have events that are numbered in the order of the units', async () => {
    const table = await freshTable();
    const units: ChangeUnit[] = [
      { what: 'a', writes: [besides], events: [{ type: 'segment-created' }, { type: 'segment-updated' }] },
      { what: 'b', writes: [], events: [] },
      { what: 'c', writes: [], events: [{ type: 'segment-created' }] },
    ];
    const ids = new EventIdPool(table, { first: 7, last: 9 });
    const [a, c, ...others] = await stampChunks(table, { units: [units] }, { ids, actor: systemUser, at: now });
    expect(others).toEqual([]);
    expect([a?.what, a?.writes[0], a?.writes.length]).toEqual(['a', besides, 2]);
    const eventsIn = (writes: readonly Write[] = []) =>
      writes.flatMap((write) => ('put' in write ? JSON.parse(String(write.item.events)) : []));
    expect(eventsIn(a?.writes)).toMatchObject([{ id: 7, createdAt: now }, { id: 8 }]);
    expect(eventsIn(c?.writes)).toMatchObject([{ id: 9 }]);
  });

  test('of a change of a flag with schedules are not stored by a request that does not say what follows from it', async () => {
    const table = await freshTable();
    const unit: ChangeUnit = {
      what: 'feature "a"',
      writes: [],
      events: [{ type: 'feature-archived', featureName: 'a' }],
      flag: { schedules: '[1]' },
    };
    const ids = new EventIdPool(table, { first: 1, last: 1 });
    await expect(stampChunks(table, { units: [[unit]] }, { ids, actor: systemUser, at: now })).rejects.toThrow();
  });

  test('of several units are refused with the problems of all of them', async () => {
    const table = await freshTable();
    const refusing = (what: string): ChangeUnit => ({
      what,
      writes: [],
      events: [],
      record: () => {
        throw invalid(`${what} is too large.`);
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
