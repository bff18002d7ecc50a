import { beforeEach, describe, expect, test, vi } from 'vitest';
import { codec } from '../../../lib/entity/codec.ts';
import { type Entity, entity } from '../../../lib/entity/entity.ts';
import { buildReferenceWrites } from '../../../lib/entity/references.ts';
import { permitForOwnData, systemUser } from '../../../lib/events/actor.ts';
import type { Event } from '../../../lib/events/event-schema.ts';
import * as eventKeys from '../../../lib/events/keys.ts';
import * as peopleKeys from '../../../lib/identity/keys.ts';
import type { Request } from '../../../lib/request.ts';
import { type Key, keysIn } from '../../../lib/store/client/definition.ts';
import { queryAll } from '../../../lib/store/read.ts';
import { LostRace } from '../../../lib/store/transactions/retry.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import type { Write } from '../../../lib/store/transactions/write.ts';
import { lateRequest } from '../../harness/late-request.ts';
import { tableForEach } from '../../specifications/specify.ts';

interface Lamp {
  readonly id: number;
  readonly name: string;
  readonly email?: string | null;
  readonly colours: readonly string[];
}

interface Office {
  readonly id: string;
  readonly code: string;
  readonly project: string | null;
}

let lamps: Entity<Lamp, number>;
let offices: Entity<Office, string>;
beforeEach(() => {
  lamps = entity<Lamp, number>({
    kind: 'lamp',
    idOf: ({ id }) => id,
    partition: { pk: 'SEGMENTS', prefix: 'ID#' },
    codec: codec<Lamp>({ colours: true }),
    unique: { name: keysIn({ pk: 'SEGMENTS', prefix: 'NAME#' }), email: peopleKeys.username },
    counter: 'segment',
    referable: true,
    events: { created: 'segment-created', updated: 'segment-updated', deleted: 'segment-deleted' },
    eventData: ({ id, name }) => ({ id, name }),
  });
  offices = entity<Office, string>({
    kind: 'office',
    idOf: ({ id }) => id,
    codec: codec<Office>({}),
    unique: { code: keysIn({ pk: 'SEGMENTS', prefix: 'CODE#' }) },
    max: 2,
    referable: true,
    toReplace: (all) => all.find(({ value }) => value.id === 'vacant'),
    events: { created: 'segment-created', deleted: 'segment-deleted' },
    eventData: ({ id }) => ({ id }),
    projectOf: ({ project }) => project,
  });
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

const reference = (id: number | string, by: string, kind = 'lamp') => ({
  ...{ kind, id },
  referrer: { by, name: `the room "${by}"`, details: { project: by } },
});

describe('An entity', () => {
  test('is found under its id as it was created; the first id is 1', async () => {
    const value = { id: 1, name: 'desk', colours: ['red'] };
    const created = await create('desk');
    expect(created.value).toEqual(value);
    expect(await lamps.load(table, 1)).toMatchObject({ value, version: created.version });
    expect(await lamps.list(table)).toEqual([{ id: 1, name: 'desk', colours: ['red'] }]);
    expect(await lamps.findHolders(table, 'name', ['desk', 'none'])).toMatchObject(new Map([['desk', { id: 1 }]]));
  });

  test('has events in the order of its changes, however long a read takes', async () => {
    await create('desk');
    const rename = (name: string) => lamps.update(table, systemUser, 1, (lamp) => ({ ...lamp, name }));
    // The number of its event is taken by then.
    lateRequest(table, lamps.keyOf(1).sk, () => rename('floor'));
    await rename('wall');
    expect((await events()).map(({ data }) => data?.name)).toEqual(['desk', 'floor', 'wall']);
  });

  test('is unknown after its removal, and its id is not used again', async () => {
    await create('desk');
    await lamps.remove(table, systemUser, 1);
    await expect(lamps.load(table, 1)).rejects.toMatchObject({ name: 'NotFoundError' });
    await expect(lamps.remove(table, systemUser, 1)).rejects.toMatchObject({ name: 'NotFoundError' });
    expect((await create('desk')).value.id).toBe(2);
  });
});

describe('A change of an entity', () => {
  const extraWrite: Write = { put: { pk: 'BESIDES', sk: '1' }, item: {}, when: 'absent' };
  const rename = (name: string, further: readonly Write[] = [], request = table) =>
    lamps.update(request, systemUser, 1, (lamp) => ({ ...lamp, name }), further);

  test('returns the new version, or the same one if nothing changes and nothing is written', async () => {
    const created = await create('desk', { email: 'desk@example.com' });
    const changed = await rename('wall', [extraWrite]);
    expect(changed.version).toBe(created.version + 1);
    expect(await lamps.load(table, 1)).toMatchObject(changed);
    // It could not be written twice.
    expect(await rename('wall', [extraWrite])).toMatchObject(changed);
    expect(await lamps.load(table, 1)).toMatchObject(changed);
    expect(await events()).toHaveLength(2);
  });

  test('is refused for another expected version, like a removal', async () => {
    const { version } = await create('desk');
    const expecting = (expected: number) => ({ ...table, expectedVersions: new Set([expected]) });
    const refused = { name: 'PreconditionFailed' };
    await expect(rename('wall', [], expecting(version + 1))).rejects.toMatchObject(refused);
    await expect(lamps.remove(expecting(version + 1), systemUser, 1)).rejects.toMatchObject(refused);
    await rename('wall', [], expecting(version));
    await lamps.remove(expecting(version + 1), systemUser, 1);
    expect(await lamps.find(table, 1)).toBeUndefined();
  });

  test('loses at most one race to others in the same process', async () => {
    await create('desk');
    let attempts = 0;
    const writers = 24;
    const attempt = (lamp: Lamp) => {
      attempts += 1;
      return { ...lamp, colours: [...lamp.colours, 'blue'] };
    };
    await Promise.all(Array.from({ length: writers }, () => lamps.update(table, systemUser, 1, attempt)));
    expect((await lamps.load(table, 1)).value.colours).toHaveLength(1 + writers);
    expect(attempts).toBeLessThan(2 * writers);
  });

  test('loses at most one race if it is a removal', async () => {
    await create('desk');
    let attempts = 0;
    const author = () => {
      attempts += 1;
      return systemUser;
    };
    // Those whose turn comes later find nothing.
    const others = Promise.allSettled(Array.from({ length: 24 }, (_, index) => rename(`desk ${index}`)));
    await lamps.remove(table, author, 1);
    expect(attempts).toBeLessThanOrEqual(2);
    await others;
  });

  test('is refused with the name of the thing if it is too large for the store', async () => {
    await expect(create('desk', { colours: ['x'.repeat(410_000)] })).rejects.toMatchObject({
      details: [{ message: expect.stringMatching(/^The lamp "1" would take/) }],
    });
  });
});

describe('An entity with a maximum and with projects', () => {
  const open = (id: string, project: string | null = null) =>
    offices.create(table, systemUser, () => ({ id, code: `code-${id}`, project }));

  test('is refused beyond the maximum, which includes hidden things, unless it replaces another', async () => {
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

  test('replaces none below the maximum, and is made from all others', async () => {
    await open('vacant');
    const make = vi.fn((_at: string, _id: number) => ({ id: 'north', code: 'n', project: null }));
    await offices.create(table, systemUser, make);
    expect(make.mock.lastCall?.slice(1)).toEqual([0, [{ id: 'vacant', code: 'code-vacant', project: null }]]);
    expect((await offices.list(table)).map(({ id }) => id)).toEqual(['north', 'vacant']);
    await create('desk');
    const makeLamp = vi.fn((_at: string, id: number) => ({ id, name: 'wall', colours: [] }));
    await lamps.create(table, systemUser, makeLamp);
    // If the kind has no maximum, the others are not read.
    expect(makeLamp.mock.lastCall?.slice(1)).toEqual([2, []]);
  });

  test('is invisible to callers who must not see its project, for every way to read it', async () => {
    await open('north');
    await open('attic', 'secret');
    const caller = { ...table, hiddenProjects: new Set(['secret']) };
    const items = await queryAll<Key>(table, { pk: 'ENTITIES' });
    const seenBy = async (request: Request) => [
      (await offices.list(request)).map(({ id }) => id),
      offices.decodeAmong(request, [...items, { pk: 'ENTITIES', sk: 'LAMP#attic' }]).map(({ id }) => id),
      [...(await offices.findSome(request, ['attic', 'north'])).keys()].toSorted(),
      [...(await offices.findHolders(request, 'code', ['code-attic', 'code-north'])).values()].map(({ id }) => id),
    ];
    expect(await seenBy(table)).toEqual(Array(4).fill(['attic', 'north']));
    expect(await seenBy(caller)).toEqual(Array(4).fill(['north']));
    await expect(offices.load(caller, 'attic')).rejects.toMatchObject({ name: 'NotFoundError' });
  });

  test('keeps its last event when only its version is raised', async () => {
    const { version } = await open('north');
    const [event] = await events();
    const found = await offices.load(table, 'north');
    expect(found).toMatchObject({ version, lastEventId: event?.id });
    await transact(table, [offices.buildRenewalWrite(found)], undefined);
    expect(await offices.load(table, 'north')).toEqual({ ...found, version: version + 1 });
    await expect(transact(table, [offices.buildRenewalWrite(found)], undefined)).rejects.toThrow(LostRace);
  });

  test('is removed by the author that a function returns', async () => {
    await open('north');
    const author = ({ value }: { value: Office }) => permitForOwnData({ id: 7, name: `head of ${value.id}` });
    await offices.remove(table, author, 'north');
    expect((await events()).at(-1)).toMatchObject({ type: 'segment-deleted', createdBy: 'head of north' });
  });

  test('lists its id and its unique values', () => {
    expect(offices.uniqueValuesOf({ id: 'north', code: 'n', project: null })).toEqual([
      { key: offices.keyOf('north'), property: 'id', value: 'north' },
      { key: { pk: 'SEGMENTS', sk: 'CODE#n' }, property: 'code', value: 'n' },
    ]);
  });
});

describe('A thing that others refer to', () => {
  const refer = (...references: ReturnType<typeof reference>[]) =>
    transact(table, buildReferenceWrites([], references), undefined);

  test('names them when its removal is refused, and is removed when there are none', async () => {
    await create('desk');
    await refer(reference(1, 'kitchen'));
    await expect(lamps.remove(table, systemUser, 1)).rejects.toMatchObject({
      name: 'InUseError',
      message: 'The lamp "desk" is in use: the room "kitchen".',
    });
    expect(await lamps.listReferrers(table, 1)).toEqual([reference(1, 'kitchen').referrer]);
    await transact(table, buildReferenceWrites([reference(1, 'kitchen')], []), undefined);
    await lamps.remove(table, systemUser, 1);
  });

  test('is named by its id if it has no name', async () => {
    await create('');
    await offices.create(table, systemUser, () => ({ id: 'north', code: 'n', project: null }));
    await refer(reference(1, 'hall'), reference('north', 'hall', 'office'));
    await expect(lamps.remove(table, systemUser, 1)).rejects.toThrow('The lamp "1" is in use');
    await expect(offices.remove(table, systemUser, 'north')).rejects.toThrow('The office "north" is in use');
  });

  test('is not removed if hidden projects refer to it, which are not named', async () => {
    await create('desk');
    await refer(reference(1, 'attic'), reference(1, 'hall'));
    const caller = { ...table, hiddenProjects: new Set(['attic']) };
    expect(await lamps.listReferrers(caller, 1)).toEqual([reference(1, 'hall').referrer]);
    await expect(lamps.remove(caller, systemUser, 1)).rejects.toThrow('in use: the room "hall", 1 more.');
  });
});
