import { describe, expect, test } from 'vitest';
import { listHistory } from '../../../../lib/console/requests/list-history.ts';

const person = (id: number, username: string) => ({ id, username, imageUrl: '' });
const at = (minute: number) => `2026-11-29T10:0${minute}:00.000Z`;

const request = {
  ...{
    id: 1,
    project: 'shop',
    environment: 'production',
    minApprovals: 1,
    contentHash: '0',
    features: [],
    segments: [],
  },
  createdBy: person(2, 'jonas@example.com'),
  createdAt: at(0),
  state: 'Scheduled' as const,
  approvals: [{ createdBy: person(3, 'priya'), createdAt: at(3), contentHash: '0' }],
  rejections: [],
  comments: [{ id: 2, text: 'Orders are fine', createdBy: person(2, 'jonas@example.com'), createdAt: at(1) }],
  stateTimestamps: { Draft: at(0), 'In review': at(1), Scheduled: at(4) },
};
const people = [{ id: 2, name: 'Jonas' }];

describe('The history of a change request', () => {
  test('lists steps, comments and approvals by time, with display names', () => {
    const entries = listHistory({ request, people, scheduledBy: { id: 3, name: 'Priya' } });
    expect(entries.map(({ person: name, text, comment }) => comment ?? `${name} ${text}`)).toEqual([
      ...['Jonas began it', 'Jonas sent it for review', 'Orders are fine', 'priya approved', 'Priya scheduled it'],
    ]);
  });

  test('names the person who applied it', () => {
    const applied = { ...request, state: 'Applied' as const, stateTimestamps: { Applied: at(5) } };
    const last = listHistory({ request: applied, people, appliedBy: { id: 3, name: 'Priya' } }).at(-1);
    expect(last).toMatchObject({ person: 'Priya', text: 'applied it' });
  });

  test('names the people who ended and reviewed an override', () => {
    const override = {
      ...{ reason: 'Errors are up', from: at(0), until: at(2), endedBy: person(2, 'jonas'), reviewedAt: at(5) },
      reviewedBy: person(3, 'priya'),
    };
    const overridden = { ...request, state: 'Applied' as const, approvals: [], comments: [], override };
    expect(listHistory({ request: overridden, people }).map(({ person: name, text }) => `${name} ${text}`)).toEqual([
      ...['Jonas overrode approval', 'Jonas ended the override', 'priya has seen the changes'],
    ]);
  });
});
