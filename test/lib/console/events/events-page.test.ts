import { describe, expect, test } from 'vitest';
import { toEventSearch } from '../../../../lib/console/events/event-query.ts';
import { groupEvents } from '../../../../lib/console/events/group-events.ts';
import { writeEventsAsCsv } from '../../../../lib/console/events/write-csv.ts';
import { eventTypes } from '../../../../lib/console/words/events.ts';
import type { EventType } from '../../../../lib/events/event-schema.ts';

/** Builds the query that the API gets for the query of the page. */
function buildSearch(query: string): URLSearchParams {
  return new URL(toEventSearch(new URLSearchParams(query), 100), 'http://localhost').searchParams;
}

interface GroupedEvent {
  readonly id: number;
  readonly type: EventType;
  readonly groupId: string;
  readonly createdByUserId: number;
}

/** Builds an event of a change request. */
function buildEvent({ id = 1, type = 'feature-updated', groupId = '9', createdByUserId = 1 }: Partial<GroupedEvent>) {
  return { id, type, groupId, groupType: 'change-request' as const, createdByUserId };
}

describe('The filters of the events page', () => {
  test('are not sent unless somebody chooses them', () => {
    expect([...buildSearch('').keys()]).toEqual(['limit']);
  });

  test('include stars and registrations on request', () => {
    expect(buildSearch('show=all').get('show')).toBe('all');
  });

  test('select events by text, project, person, flag, environment and day', () => {
    const search = buildSearch(
      'q=beta&project=shop&createdBy=7&feature=checkout&environment=production&from=2026-11-01',
    );
    expect(Object.fromEntries(search)).toMatchObject({
      query: 'beta',
      project: 'IS:shop',
      createdBy: 'IS:7',
      feature: 'IS:checkout',
      environment: 'IS:production',
      from: 'IS:2026-11-01',
    });
  });

  test('select events by kind, which stands for several types', () => {
    expect(buildSearch('kind=Switches').get('type')).toBe(
      'IS_ANY_OF:feature-environment-enabled,feature-environment-disabled',
    );
    expect(buildSearch('kind=Flags').get('type')?.split(',').length).toBeLessThan(eventTypes.length);
  });
});

test('Adjacent events of one change and one person form a group', () => {
  const groups = groupEvents([
    buildEvent({ id: 5, groupId: '9', createdByUserId: 1 }),
    buildEvent({ id: 4, groupId: '9', createdByUserId: 1 }),
    buildEvent({ id: 3, groupId: '9', createdByUserId: 2 }),
    buildEvent({ id: 2, groupId: '7', createdByUserId: 2 }),
    buildEvent({ id: 1, groupId: '9', createdByUserId: 1 }),
  ]);
  expect(groups.map(({ first, others }) => [first.id, ...others.map(({ id }) => id)])).toEqual([[5, 4], [3], [2], [1]]);
});

test('The most important event of a group is its first', () => {
  const types = [
    'change-request-override-ended',
    'feature-environment-disabled',
    'change-request-override-started',
  ] as const;
  const [group] = groupEvents(types.map((type) => buildEvent({ type })));
  expect(group?.first.type).toBe('feature-environment-disabled');
  expect(group?.others.map(({ type }) => type)).toEqual([types[0], types[2]]);
});

test('The CSV file of events quotes separators, and disarms formulas for spreadsheets', () => {
  const event = {
    id: 1,
    createdAt: '2026-11-29T10:00:00.000Z',
    author: '=1+1',
    type: 'tag-created' as const,
    environment: null,
    project: 'a,b',
    featureName: null,
    preData: null,
    data: { type: 'simple', value: 'say "hi"' },
  };
  expect(writeEventsAsCsv([event]).split('\r\n')).toEqual([
    'id,createdAt,person,type,what,project,environment,flag',
    `1,2026-11-29T10:00:00.000Z,'=1+1,tag-created,"created the tag say ""hi""","a,b",,`,
  ]);
});
