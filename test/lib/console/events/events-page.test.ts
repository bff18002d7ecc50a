import { describe, expect, test } from 'vitest';
import { toEventSearch } from '../../../../lib/console/events/event-query.ts';
import { groupEvents } from '../../../../lib/console/events/group-events.ts';
import { writeEventsAsCsv } from '../../../../lib/console/events/write-csv.ts';
import { eventTypes } from '../../../../lib/console/words/events.ts';

const search = (query: string) => new URL(toEventSearch(new URLSearchParams(query), 100), 'http://x').searchParams;

describe('The filters of the events page', () => {
  test('are not sent where nobody has chosen any; stars are asked for', () => {
    expect([...search('').keys()]).toEqual(['limit']);
    expect(search('show=all').get('show')).toBe('all');
  });

  test('find by text, project, person, flag, environment and days', () => {
    const found = search('q=beta&project=shop&createdBy=7&feature=checkout&environment=production&from=2026-11-01');
    expect(Object.fromEntries(found)).toMatchObject({
      ...{ query: 'beta', project: 'IS:shop', createdBy: 'IS:7', feature: 'IS:checkout' },
      ...{ environment: 'IS:production', from: 'IS:2026-11-01' },
    });
  });

  test('find by a kind, which has some of the types', () => {
    expect(search('kind=Switches').get('type')).toBe(
      'IS_ANY_OF:feature-environment-enabled,feature-environment-disabled',
    );
    expect(search('kind=Flags').get('type')?.split(',').length).toBeLessThan(eventTypes.length);
  });
});

test('Neighbours of one change are folded together, but not those of different people', () => {
  const event = (id: number, groupId: string, createdByUserId: number) => ({
    type: 'feature-updated' as const,
    ...{ id, groupId, createdByUserId },
    groupType: 'change-request' as const,
  });
  const groups = groupEvents([
    event(5, '9', 1),
    event(4, '9', 1),
    event(3, '9', 2),
    event(2, '7', 2),
    event(1, '9', 1),
  ]);
  expect(groups.map(({ first, others }) => [first.id, ...others.map(({ id }) => id)])).toEqual([[5, 4], [3], [2], [1]]);
});

test('The most important event of one change stands for it', () => {
  const types = [
    'change-request-override-ended',
    'feature-environment-disabled',
    'change-request-override-started',
  ] as const;
  const events = types.map((type) => ({
    type,
    groupId: '9',
    groupType: 'change-request' as const,
    createdByUserId: 1,
  }));
  const [group] = groupEvents(events);
  expect(group?.first.type).toBe('feature-environment-disabled');
  expect(group?.others.map(({ type }) => type)).toEqual([types[0], types[2]]);
});

test('A table of events quotes what would break it, and what a spreadsheet would carry out', () => {
  const event = {
    ...{ id: 1, createdAt: '2026-11-29T10:00:00.000Z', author: '=1+1' },
    ...{ type: 'tag-created' as const, environment: null, project: 'a,b', featureName: null, preData: null },
    data: { type: 'simple', value: 'say "hi"' },
  };
  expect(writeEventsAsCsv([event]).split('\r\n')).toEqual([
    'id,createdAt,person,type,what,project,environment,flag',
    `1,2026-11-29T10:00:00.000Z,'=1+1,tag-created,"created the tag say ""hi""","a,b",,`,
  ]);
});
