import { describe, expect, test } from 'vitest';
import { change } from '../../../lib/entity/change.ts';
import { codec } from '../../../lib/entity/codec.ts';
import { entity } from '../../../lib/entity/entity.ts';
import { referenceWrites } from '../../../lib/entity/references.ts';
import { asThemselves, systemUser } from '../../../lib/events/actor.ts';
import type { Event } from '../../../lib/events/event-schema.ts';
import * as eventKeys from '../../../lib/events/keys.ts';
import * as peopleKeys from '../../../lib/people/keys.ts';
import type { Request } from '../../../lib/request.ts';
import type { Key } from '../../../lib/store/client/definition.ts';
import { keysIn } from '../../../lib/store/client/definition.ts';
import { queryAll } from '../../../lib/store/read.ts';
import { LostRace } from '../../../lib/store/transactions/retry.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { lateRequest } from '../../harness/late-request.ts';
import { tableForEach } from '../../specifications/specify.ts';

interface Lamp {
  readonly id: number;
  readonly name: string;
  readonly email?: string | null;
  readonly colours: readonly string[];
}

const lamps = entity<Lamp, number>({
  kind: 'lamp',
  idOf: ({ id }) => id,
  partition: { pk: 'SEGMENTS', prefix: 'ID#' },
  codec: codec<Lamp>({ colours: true }),
  unique: { name: keysIn({ pk: 'SEGMENTS', prefix: 'NAME#' }), email: peopleKeys.username },
  counter: 'segment',
  referable: true,
  events: { created: 'segment-created', updated: 'segment-updated', deleted: 'segment-deleted' },
  shown: ({ id, name }) => ({ id, name }),
});

interface Office {
  readonly id: string;
  readonly code: string;
  readonly project: string | null;
}

const offices = entity<Office, string>({
  kind: 'office',
  idOf: ({ id }) => id,
  codec: codec<Office>({}),
  unique: { code: keysIn({ pk: 'SEGMENTS', prefix: 'CODE#' }) },
  max: 2,
  replaced: (all) => all.find(({ value }) => value.id === 'vacant'),
  events: { created: 'segment-created', deleted: 'segment-deleted' },
  shown: ({ id }) => ({ id }),
  projectOf: ({ project }) => project,
});

const table = tableForEach();

const create = (name: string, rest: Partial<Lamp> = {}) =>
  lamps.create(table, systemUser, (_at, id) => ({ id, name, colours: ['red'], ...rest }));

async function events(): Promise<Event[]> {
  const items = await queryAll<{ events: string }>(
    table,
    eventKeys.serviceEventsIn(new Date().toISOString().slice(0, 7)),
  );
  return items.flatMap((item) => JSON.parse(item.events));
}

const reference = (id: number, by: string) => ({
  kind: 'lamp',
  id,
  target: lamps.keyOf(id),
  referrer: { by, name: `the room "${by}"`, details: { by } },
});

async function refer(id: number, by: string): Promise<void> {
  await change(table, systemUser, {
    of: [],
    read: async () => undefined,
    revisionOf: () => undefined,
    decide: () => ({ writes: referenceWrites([], [reference(id, by)]), events: [], result: undefined }),
  });
}

describe('An entity', () => {
  test('is found under its id as it was created, the first one under 1', async () => {
    const value = { id: 1, name: 'desk', colours: ['red'] };
    const created = await create('desk');
    expect(created.value).toEqual(value);
    expect(await lamps.load(table, 1)).toMatchObject({ value, version: created.version });
    expect(await lamps.list(table)).toEqual([{ id: 1, name: 'desk', colours: ['red'] }]);
    expect(await lamps.bearers(table, 'name', ['desk', 'none'])).toMatchObject(new Map([['desk', { id: 1 }]]));
  });

  test('has its events in the order in which things happened, however long a writer took to read', async () => {
    await create('desk');
    const rename = (name: string) => lamps.update(table, systemUser, 1, (lamp) => ({ ...lamp, name }));
    // The number of its event is taken by then.
    lateRequest(table, lamps.keyOf(1).sk, () => rename('floor'));
    await rename('wall');
    expect((await events()).map(({ data }) => data?.name)).toEqual(['desk', 'floor', 'wall']);
  });

  test('is unknown once it is removed, and its id is not given out again', async () => {
    await create('desk');
    await lamps.remove(table, systemUser, 1);
    await expect(lamps.load(table, 1)).rejects.toMatchObject({ name: 'NotFoundError' });
    await expect(lamps.remove(table, systemUser, 1)).rejects.toMatchObject({ name: 'NotFoundError' });
    expect((await create('desk')).value.id).toBe(2);
  });
});

describe('An entity of which only so many may exist, each of a project', () => {
  const open = (id: string, project: string | null = null) =>
    offices.create(table, systemUser, () => ({ id, code: `code-${id}`, project }));

  test('is refused beyond that, hidden ones included, unless it takes the place of another', async () => {
    await open('north');
    await open('attic', 'secret');
    const caller = { ...table, hiddenProjects: new Set(['secret']) };
    const wing = () => offices.create(caller, systemUser, () => ({ id: 'wing', code: 'w', project: null }));
    await expect(wing()).rejects.toThrow('At most 2 offices are allowed.');
    await offices.remove(table, systemUser, 'attic');
    await open('vacant');
    await wing();
    expect((await offices.list(table)).map(({ id }) => id)).toEqual(['north', 'wing']);
  });

  test('is not there for callers who must not see its project, in whatever way they ask', async () => {
    await open('north');
    await open('attic', 'secret');
    const caller = { ...table, hiddenProjects: new Set(['secret']) };
    const items = await queryAll<Key>(table, { pk: 'ENTITIES' });
    const seenBy = async (request: Request) => [
      (await offices.list(request)).map(({ id }) => id),
      offices.among(request, [...items, { pk: 'ENTITIES', sk: 'LAMP#attic' }]).map(({ id }) => id),
      [...(await offices.some(request, ['attic', 'north'])).keys()].toSorted(),
      [...(await offices.bearers(request, 'code', ['code-attic', 'code-north'])).values()].map(({ id }) => id),
    ];
    expect(await seenBy(table)).toEqual(Array(4).fill(['attic', 'north']));
    expect(await seenBy(caller)).toEqual(Array(4).fill(['north']));
    await expect(offices.load(caller, 'attic')).rejects.toMatchObject({ name: 'NotFoundError' });
  });

  test('knows its last event, also once it was given its next version as it is', async () => {
    const { version } = await open('north');
    const [event] = await events();
    const found = await offices.load(table, 'north');
    expect(found).toMatchObject({ version, lastEventId: event?.id });
    await transact(table, [offices.renewed(found)], undefined);
    expect(await offices.load(table, 'north')).toEqual({ ...found, version: version + 1 });
    await expect(transact(table, [offices.renewed(found)], undefined)).rejects.toThrow(LostRace);
  });

  test('is removed by an author whom it may decide about', async () => {
    await open('north');
    const author = ({ value }: { value: Office }) => asThemselves({ id: 7, name: `head of ${value.id}` });
    await offices.remove(table, author, 'north');
    expect((await events()).at(-1)).toMatchObject({ type: 'segment-deleted', createdBy: 'head of north' });
  });

  test('is called by its id and its unique values', () => {
    expect(offices.claimsOf({ id: 'north', code: 'n', project: null })).toEqual([
      { key: offices.keyOf('north'), property: 'id', value: 'north' },
      { key: { pk: 'SEGMENTS', sk: 'CODE#n' }, property: 'code', value: 'n' },
    ]);
  });
});

describe('A thing that others refer to', () => {
  test('names them when it is to be removed, and goes when none is left', async () => {
    await create('desk');
    await refer(1, 'kitchen');
    await expect(lamps.remove(table, systemUser, 1)).rejects.toMatchObject({
      name: 'InUseError',
      message: 'The lamp "desk" is in use: the room "kitchen".',
    });
    expect(await lamps.referrers(table, 1)).toEqual([reference(1, 'kitchen').referrer]);
    await change(table, systemUser, {
      of: [],
      read: async () => undefined,
      revisionOf: () => undefined,
      decide: () => ({ writes: referenceWrites([reference(1, 'kitchen')], []), events: [], result: undefined }),
    });
    await lamps.remove(table, systemUser, 1);
  });
});
