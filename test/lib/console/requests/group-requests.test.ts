import { expect, test } from 'vitest';
import { groupRequests } from '../../../../lib/console/requests/group-requests.ts';
import type { ListedRequest } from '../../../../lib/screens/request-schema.ts';

const reader = { id: 7, mayApprove: ({ project }: ListedRequest) => project === 'shop' };
const request = (id: number, rest: Partial<ListedRequest> = {}): ListedRequest => ({
  ...{ id, project: 'shop', environment: 'production', state: 'In review', author: { id: 1, name: 'Ann' } },
  ...{
    createdAt: '2026-01-01T00:00:00.000Z',
    features: [],
    approvals: 0,
    required: 1,
    isWaiting: false,
    isAsked: false,
  },
  ...rest,
});

test('A request goes under the first heading that fits, and empty headings are left out', () => {
  const groups = groupRequests(
    [
      request(1),
      request(2, { author: { id: reader.id, name: 'Me' }, state: 'Scheduled' }),
      request(3, { isWaiting: true }),
      request(4, { isWaiting: true, isAsked: true }),
      request(5, { isWaiting: true, override: 'Orders fail' }),
      request(6, { state: 'Scheduled' }),
    ],
    reader,
  );
  expect(groups.map(({ title, requests }) => [title, ...requests.map(({ id }) => id)])).toEqual([
    ['Asked of you', 4],
    ['Overrides to look at', 5],
    ['Waiting for you', 3],
    ['Yours', 2],
    ['Scheduled', 6],
    ['Waiting for others', 1],
  ]);
  expect(groupRequests([], reader)).toEqual([]);
});

test('An override that still runs is listed for those who may approve, except its author', () => {
  const override = 'Orders fail';
  const requests = [
    request(1, { override }),
    request(2, { override, project: 'other' }),
    request(3, { override, author: { id: reader.id, name: 'Me' } }),
  ];
  expect(groupRequests(requests, reader).map(({ title, requests: [first] }) => [title, first?.id])).toEqual([
    ['Overrides to look at', 1],
    ['Yours', 3],
    ['Waiting for others', 2],
  ]);
});
