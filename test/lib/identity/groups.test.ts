import { expect } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { groups } from '../../../lib/identity/groups.ts';
import { readItem } from '../../../lib/store/read.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { test } from '../../specifications/specify.ts';

const at = '2026-11-29T10:00:00.123Z';

test('A group keeps the members that release 0.6 has stored, and those whom it adds later', async ({ service }) => {
  const { table } = service;
  const memberOf = (userId: number, createdBy = 'admin') => ({ userId, joinedAt: at, createdBy });
  const signedOn = { ...memberOf(3, 'SSO'), isSignedOn: true as const };
  const older = [memberOf(1), signedOn, memberOf(2)];
  const key = groups.keyOf(1);
  const item = {
    ...{ id: 1, name: 'staff', createdBy: 'admin', createdAt: at, mappingsSSO: '[]', projectRoles: '[]', version: 1 },
    members: JSON.stringify(older),
  };
  await transact(table, [{ put: key, item }], undefined);
  expect((await groups.load(table, 1)).value.members).toEqual(older);
  const more = memberOf(4);
  await groups.update(table, systemUser, 1, (group) => ({ ...group, members: [...group.members, more] }));
  const { value, version } = await groups.load(table, 1);
  expect(value.members).toEqual([memberOf(1), memberOf(2), more, signedOn]);

  // Release 0.6 sees no members in the new form, keeps it, and may add somebody for a second time.
  const stored = await readItem<typeof key & typeof item>(table, key);
  const { pk: _pk, sk: _sk, ...rest } = stored as NonNullable<typeof stored>;
  expect(rest.members).toBe('[]');
  const added = { ...rest, members: JSON.stringify([more, memberOf(5)]), version: version + 1 };
  await transact(table, [{ put: key, item: added }], undefined);
  expect((await groups.load(table, 1)).value.members).toEqual([memberOf(1), memberOf(2), more, signedOn, memberOf(5)]);
});
