import { expect, test } from 'vitest';
import { listMembers } from '../../../../lib/console/project-settings/members.ts';

test('Members are people, then groups, then service accounts, each by name', () => {
  const common = {
    rootRole: 3,
    createdAt: '2026-01-01T00:00:00.000Z',
    addedAt: '2026-02-01T00:00:00.000Z',
    roles: [4],
  };
  const user = (id: number, name: string, accountType: 'User' | 'Service Account' = 'User') => ({
    ...{ id, name, accountType, ...common },
  });
  const group = {
    ...{ id: 1, name: 'Team', description: null, mappingsSSO: [], createdBy: 'admin', users: [], projects: [] },
    ...{ userCount: 2, scimId: null, ...common },
  };
  const members = listMembers({
    users: [user(1, 'Robot', 'Service Account'), user(2, 'Zoe'), user(3, 'Amara')],
    groups: [group],
  });
  expect(members.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    ...['person Amara', 'person Zoe', 'group Team', 'account Robot'],
  ]);
  expect(members[2]?.more).toBe('A group of 2');
});
