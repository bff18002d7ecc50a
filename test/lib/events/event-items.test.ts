import { describe, expect, test } from 'vitest';
import { permitForOwnData } from '../../../lib/events/actor.ts';
import {
  buildSourceEventData,
  groupUnderOverride,
  isImported,
  type NewEvent,
  stampEvents,
} from '../../../lib/events/event.ts';
import {
  type EventsItem,
  featureEventWrites,
  eventsOf as readEvents,
  serviceEventWrites,
} from '../../../lib/events/event-items.ts';
import type { Event } from '../../../lib/events/event-schema.ts';
import * as eventKeys from '../../../lib/events/keys.ts';
import { type Gate, openGate } from '../../../lib/request.ts';
import { itemBytes, itemBytesMax } from '../../../lib/store/item.ts';
import { findItemErrors } from '../../../lib/store/transactions/write.ts';

const at = '2026-03-04T05:06:07.008Z';
const actor = permitForOwnData({ id: 5, name: 'alice' });
const eventsOf = (...events: Partial<NewEvent>[]) =>
  stampEvents(
    events.map((event) => ({ type: 'feature-created', ...event })),
    11,
    actor,
    at,
  );

/** The JSON of events in the item of a feature, which has the tags in an attribute of its own. */
const withoutTags = (events: readonly (Event | undefined)[]) =>
  JSON.stringify(events.map((event) => ({ ...event, tags: undefined })));

/** Returns events of the given sizes: the bytes of their JSON and their outline, including the commas. */
function eventsOfBytes(...sizes: number[]): Event[] {
  const data = (length: number) => ({ data: { text: 'x'.repeat(length) } });
  const [empty] = eventsOf(data(0));
  return eventsOf(...sizes.map((size) => data(size - withoutTags([empty]).length - outlineBytes)));
}

const outlineBytes = JSON.stringify([11, 'feature-created', null, null]).length;

/** The most bytes of events in an item: 400 KiB less 1 KiB for everything else. */
const bytesMax = 399 * 1024;

describe('New events', () => {
  test('get rising ids in their order, one author and time, and null for omitted properties', () => {
    const details = {
      project: 'shop',
      environment: 'development',
      featureName: 'a',
      data: { a: 1 },
      preData: { a: 0 },
    };
    const common = { createdAt: at, createdBy: 'alice', createdByUserId: 5 };
    const nothing = { project: null, environment: null, featureName: null, data: null, preData: null };
    expect(eventsOf(details, { type: 'feature-archived' })).toEqual([
      { id: 11, type: 'feature-created', ...common, ...details, tags: [] },
      { id: 12, type: 'feature-archived', ...common, ...nothing, tags: [] },
    ]);
  });

  test('belong to the override that permits a request, unless they belong to a change request', () => {
    const events = eventsOf({}, { changeRequest: 3 });
    const own = { groupType: 'change-request', groupId: 'change-request-3' };
    expect(events).toMatchObject([{}, own]);
    expect(groupUnderOverride({ gate: openGate }, events)).toBe(events);
    const gate = { overrideId: () => 7 } as Gate;
    expect(groupUnderOverride({ gate }, events)).toMatchObject([{ ...own, groupId: 'change-request-7' }, own]);
  });

  test('are not imported, unlike those that another server has recorded', () => {
    const [event] = eventsOf({ data: { a: 1 } }) as [Event];
    expect(isImported(event)).toBe(false);
    expect(isImported({ ...event, data: buildSourceEventData(5) })).toBe(true);
    expect(isImported({ data: null, preData: buildSourceEventData(5) })).toBe(true);
  });

  test('of a feature are stored in one item if they fit, which counts all events of the feature so far', () => {
    const events = eventsOf({}, {}, {});
    const outlines = [11, 12, 13].map((id) => [id, 'feature-created', null, null]);
    const logged = { log: 'EVENTS', at: `${at}#0000000000000011`, about: JSON.stringify([5, 'alice', ...outlines]) };
    expect(featureEventWrites('checkout', events, { eventCount: 4 }, [])).toEqual([
      {
        put: eventKeys.featureEvents('checkout', 11),
        item: { events: withoutTags(events), total: 7, ...logged },
        when: 'absent',
        subject: 'feature-created event',
      },
    ]);
  });

  test('of a feature do not repeat its name, and contain its first event only if an earlier feature had the name', () => {
    const events = eventsOf({ featureName: 'checkout' }, { featureName: 'other' });
    const [first] = featureEventWrites('checkout', events, { eventCount: 0 }, []);
    const outlines = [
      [11, 'feature-created', null, null],
      [12, 'feature-created', null, null, 'other'],
    ];
    expect(first).toMatchObject({ item: { about: JSON.stringify([5, 'alice', ...outlines]) } });
    expect(first).not.toHaveProperty('item.firstId');
    const grouped = eventsOf({ featureName: 'checkout', changeRequest: 3 }, { featureName: 'other', changeRequest: 3 });
    const [group] = featureEventWrites('checkout', grouped, { eventCount: 0 }, []);
    const groupedOutlines = [
      [11, 'feature-created', null, null, null, 'change-request-3'],
      [12, 'feature-created', null, null, 'other', 'change-request-3'],
    ];
    expect(group).toMatchObject({ item: { about: JSON.stringify([5, 'alice', ...groupedOutlines]) } });
    const [later] = featureEventWrites('checkout', events, { eventCount: 4, firstEventId: 3 }, []);
    expect(later).toMatchObject({ item: { firstId: 3 } });
  });

  test('of no feature are stored by month', () => {
    const events = eventsOf({}, { project: 'shop', environment: 'development', featureName: 'a' });
    const outlines = [
      [11, 'feature-created', null, null],
      [12, 'feature-created', 'shop', 'development', 'a'],
    ];
    const logged = { log: 'EVENTS', at: `${at}#0000000000000011`, about: JSON.stringify([5, 'alice', ...outlines]) };
    expect(serviceEventWrites(events)).toEqual([
      {
        put: { ...eventKeys.serviceEvents(at, 11) },
        item: { events: JSON.stringify(events), ...logged },
        when: 'absent',
        subject: 'feature-created event',
      },
    ]);
  });

  test('of different authors or times are stored in different items', () => {
    const [first, second] = eventsOf({}, {}) as [Event, Event];
    const items = (change: Partial<Event>) => serviceEventWrites([first, { ...second, ...change }]).length;
    expect(items({})).toBe(1);
    expect(items({ createdAt: '2026-03-04T05:06:07.009Z' })).toBe(2);
    expect(items({ createdBy: 'bob' })).toBe(2);
    expect(items({ createdByUserId: 6 })).toBe(2);
  });

  test('write nothing if there are none', () => {
    expect(featureEventWrites('checkout', [], { eventCount: 4 }, [])).toEqual([]);
    expect(serviceEventWrites([])).toEqual([]);
  });

  test('fill an item to its last byte before the next one begins', () => {
    const half = bytesMax / 2 - 1;
    const totals = (...sizes: number[]) =>
      featureEventWrites('checkout', eventsOfBytes(...sizes), { eventCount: 4 }, []).map(
        (write) => 'item' in write && write.item.total,
      );
    expect(totals(half, half)).toEqual([6]);
    expect(totals(half, half + 1)).toEqual([5, 6]);
    expect(totals(half, half, half, half)).toEqual([6, 8]);
    expect(totals(half, half, half + 1, half)).toEqual([6, 7, 8]);
  });

  test('are each in exactly one item that the store accepts, and its key is its first event', () => {
    const events = eventsOfBytes(...Array.from({ length: 50 }, (_, index) => 1_000 * (index + 1)));
    const writes = featureEventWrites('checkout', events, { eventCount: 0 }, []);
    const kept = writes.flatMap((write) => {
      if (!('item' in write)) return [];
      const list = readEvents(write.item as unknown as EventsItem);
      expect(write.put).toEqual(eventKeys.featureEvents('checkout', list[0]?.id ?? 0));
      expect(itemBytes({ ...write.put, ...write.item })).toBeLessThanOrEqual(itemBytesMax);
      return list;
    });
    expect(kept).toEqual(events);
  });

  test('leave space in their items for the tags of the feature, and for tags that they add', () => {
    const value = 'x'.repeat(1_000);
    const tags = Array.from({ length: 100 }, (_, index) => ({ type: 'simple', value: `${index}${value}` }));
    const tagged = eventsOf(...tags.map((data) => ({ type: 'feature-tagged' as const, data })));
    const large = eventsOfBytes(190_000, 190_000, 190_000);
    const cases = [
      [large, tags],
      [[...tagged, ...large], []],
    ] as const;
    for (const [events, before] of cases) {
      const writes = featureEventWrites('checkout', events, { eventCount: 0 }, before);
      expect(findItemErrors(writes)).toEqual([]);
      const last = writes.at(-1);
      expect(JSON.parse(last !== undefined && 'item' in last ? String(last.item.tags) : '[]')).toEqual(tags);
    }
  });

  test('have the tags of their time when they are read, though tags are stored once per item', () => {
    const [blue, red] = [
      { type: 'simple', value: 'blue' },
      { type: 'simple', value: 'red' },
    ];
    const other = { type: 'area', value: 'blue' };
    const events = eventsOf(
      { type: 'feature-archived', data: blue },
      { type: 'feature-tagged', data: red },
      { type: 'feature-untagged', preData: blue },
      { type: 'feature-revived' },
    );
    const [write] = featureEventWrites('checkout', events, { eventCount: 0 }, [blue, other]);
    const item = (write !== undefined && 'item' in write ? write.item : {}) as unknown as EventsItem;
    expect(item.tags).toBe(JSON.stringify([blue, other]));
    expect(item.events).not.toContain('"tags"');
    expect(readEvents(item).map(({ tags }) => tags)).toEqual([
      [blue, other],
      [blue, other, red],
      [other, red],
      [other, red],
    ]);
  });

  test('have their own item if one event fills it, and are refused if one event is too large', () => {
    const problems = (bytes: number) =>
      findItemErrors(featureEventWrites('checkout', eventsOfBytes(500, bytes), { eventCount: 0 }, []));
    expect(problems(bytesMax)).toEqual([]);
    expect(problems(itemBytesMax)).toEqual([
      { message: expect.stringMatching(/^The feature-created event would take \d+ bytes; at most 409600 are allowed/) },
    ]);
    const alone = featureEventWrites('checkout', eventsOfBytes(itemBytesMax), { eventCount: 0 }, []);
    expect(alone).toHaveLength(1);
    expect(findItemErrors(alone)).toHaveLength(1);
  });
});
