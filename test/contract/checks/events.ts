import { describe, expect, test } from 'vitest';
import { bodyOf, type Client, refusedPaths } from '../client.ts';
import { contractPaths, type EventList, fetchEvents, makeFeature, uniqueName } from '../features.ts';

/** The history of a feature. */
export function checkEvents(client: () => Client): void {
  const page = async (name: string, query: string) =>
    bodyOf<EventList>(await client().get(contractPaths.events(name, query)));

  describe('the events of a feature', () => {
    test('are none of one that does not exist', async () => {
      const name = uniqueName();
      const nothing = { version: 1, toggleName: name, events: [], totalEvents: 0 };
      expect(bodyOf(await client().get(contractPaths.events(name)))).toEqual(nothing);
    });

    test('tell its whole history, each beginning where the one before ended', async () => {
      const name = await makeFeature(client());
      for (const description of ['First', 'Second']) await client().put(contractPaths.feature(name), { description });
      await client().post(contractPaths.tags(name), { value: 'tagged' });
      const events = await fetchEvents(client(), name);
      expect(events.map(({ type }) => type)).toEqual([
        'feature-created',
        'feature-metadata-updated',
        'feature-metadata-updated',
        'feature-tagged',
      ]);
      const [created, first, second] = events;
      expect(first?.preData).toEqual(created?.data);
      expect(second?.preData).toEqual(first?.data);
      for (const event of events) {
        expect(event.createdBy).toMatch(/./);
        expect(new Date(String(event.createdAt)).toISOString()).toBe(event.createdAt);
      }
    });

    test('can be read page by page, newest first, with none twice and none left out', async () => {
      const name = await makeFeature(client());
      for (const index of [1, 2, 3, 4]) await client().put(contractPaths.feature(name), { description: `${index}` });
      const all = (await fetchEvents(client(), name)).toReversed();
      const first = await page(name, '?limit=2');
      const second = await page(name, `?limit=10&before=${first.events.at(-1)?.id}`);
      expect([...first.events, ...second.events]).toEqual(all);
      expect([first.totalEvents, second.totalEvents]).toEqual([all.length, all.length]);
    });

    test('are a 400 for a page that is none, each mistake named', async () => {
      const answer = await client().get(contractPaths.events('any', '?limit=0&before=x'));
      expect(refusedPaths(answer)).toEqual(['before', 'limit']);
    });
  });
}
