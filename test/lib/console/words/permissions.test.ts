import { expect, test } from 'vitest';
import { groupPermissions, permissionSubjects, wordPermissions } from '../../../../lib/console/words/permissions.ts';
import { permissions } from '../../../../lib/identity/permission-table.ts';

test('Each permission of the service has words, once', () => {
  const worded = permissionSubjects.flatMap(([, words]) => Object.keys(words));
  expect(worded.toSorted()).toEqual(permissions.toSorted());
});

test('Permissions are grouped by subject, and one without words keeps its own', () => {
  const list = [
    { name: 'UPDATE_FEATURE', displayName: 'Update feature flags' },
    { name: 'MAKE_COFFEE', displayName: 'Make coffee' },
  ];
  expect(groupPermissions(list)).toEqual([
    {
      subject: 'Flags',
      permissions: [{ name: 'UPDATE_FEATURE', words: 'Edit flags: description, type, tags, links, stale' }],
    },
    { subject: 'Others', permissions: [{ name: 'MAKE_COFFEE', words: 'Make coffee' }] },
  ]);
});

test('A reason of the service has words in place of ids, and keeps what is no id', () => {
  const refused = 'You need the permission "APPROVE_CHANGE_REQUEST" in the environment "production" to do this.';
  expect(wordPermissions(refused)).toBe(
    'You need the permission “Approve change requests, and turn them down” in production.',
  );
  const either = 'You need the permission "ADMIN" or "READ_ROLE" to do this.';
  expect(wordPermissions(either)).toBe('You need the permission “See roles” to do this.');
  expect(wordPermissions('You need the permission "ADMIN" to do this.')).toBe('Only Admins may do this.');
  const others = 'Only members of the project "SHOP" can request changes.';
  expect(wordPermissions(others)).toBe(others);
});
