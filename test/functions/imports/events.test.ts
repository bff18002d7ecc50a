import { describe, expect, test } from 'vitest';
import type { Event } from '../../../lib/events/event-schema.ts';
import { featureEventsOf as readEvents } from '../../harness/features.ts';
import { type FileData, imported, importSeed } from '../../harness/imports.ts';
import { serviceEventsAddedBy } from '../../harness/service-events.ts';
import { sharedService } from '../../specifications/specify.ts';

const service = sharedService(importSeed);

const simple = (value: string) => ({ type: 'simple', value });
const place = { project: 'default', environment: 'development' };

/** Returns the events that an import adds to those of no feature. */
function serviceEventsOf(data: FileData, token?: string): Promise<Event[]> {
  return serviceEventsAddedBy(service.table, () => imported(service, data, token === undefined ? {} : { token }));
}

describe('The events of an import that belong to no feature', () => {
  const shared: FileData = {
    features: [{ name: 'shares' }],
    tagTypes: [{ name: 'simple' }, { name: 'area', description: 'Which part', icon: 'A' }],
    featureTags: [
      { featureName: 'shares', tagType: 'area', tagValue: 'checkout' },
      { featureName: 'shares', tagType: 'simple', tagValue: 'shared' },
    ],
    contextFields: [
      { name: 'region', description: 'Which one', legalValues: [{ value: 'north' }] },
      { name: 'userId' },
    ],
  };

  test('report new tag types, tags and context fields in Unleash’s order, and then the import itself', async () => {
    const events = await serviceEventsOf(shared);
    expect(events).toMatchObject([
      { type: 'tag-type-created', data: { name: 'area', description: 'Which part', icon: 'A' } },
      { type: 'tag-created', data: { type: 'area', value: 'checkout' } },
      { type: 'tag-created', data: simple('shared') },
      { type: 'context-field-created', data: { name: 'region', legalValues: [{ value: 'north' }] } },
      { type: 'features-imported', ...place, data: null },
    ]);
    for (const event of events) expect(event).toMatchObject({ featureName: null, preData: null, tags: [] });
    const all = [...events, ...(await readEvents(service, 'shares'))].map(({ id }) => id);
    expect(Math.max(...all)).toBe(events.at(-1)?.id);
    expect(new Set(all).size).toBe(all.length);
  });

  test('do not exist if nothing changed, not even for the import', async () => {
    const data = { ...shared, features: [{ name: 'shares-too' }], featureTags: [] };
    await imported(service, data);
    expect(await serviceEventsOf(data)).toEqual([]);
    expect(await serviceEventsOf({})).toEqual([]);
  });
});
