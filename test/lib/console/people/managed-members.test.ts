import { expect, test } from 'vitest';
import { splitMembers } from '../../../../lib/console/people/managed-members.ts';

test('The members of a managed group are those of the directory and those who can be removed here, each by name', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const member = (id: number, name: string, provisioned?: true) => ({
    ...{ joinedAt: at, createdBy: 'admin', ...(provisioned && { provisioned }) },
    user: { id, name, rootRole: 3, createdAt: at, accountType: 'User' as const },
  });
  const { ofDirectory, others } = splitMembers([
    ...[member(1, 'Zoe', true), member(2, 'Cara'), member(3, 'Amara', true), member(4, 'Bob')],
  ]);
  expect(ofDirectory.map(({ name }) => name)).toEqual(['Amara', 'Zoe']);
  expect(others.map(({ name }) => name)).toEqual(['Bob', 'Cara']);
});
