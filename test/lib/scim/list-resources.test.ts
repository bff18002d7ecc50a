import { expect, test } from 'vitest';
import { groupKind } from '../../../lib/scim/attributes.ts';
import { listResources, type ResourceSource } from '../../../lib/scim/list-resources.ts';
import { freshTable } from '../../harness/table.ts';

/** Groups of a thousand members each. */
const largeGroups: ResourceSource = {
  kind: groupKind,
  listIds: async () => Array.from({ length: 100 }, (_, index) => index + 1),
  find: async () => undefined,
  load: async (_request, ids) => {
    const members = Array.from({ length: 1_000 }, (_, index) => ({ value: `user-${index}` }));
    const times = { createdAt: '2026-01-01T00:00:00.000Z', modifiedAt: '2026-01-01T00:00:00.000Z', version: 1 };
    return ids.map((id) => ({ id, resource: { displayName: `group-${id}`, members }, ...times }));
  },
};

test('A filter that compares all members of all groups with many conditions is refused', async () => {
  const table = await freshTable();
  const find = (conditions: number) => {
    const filter = Array.from({ length: conditions }, (_, index) => `members co "r-99${index}"`).join(' or ');
    return listResources(table, [largeGroups], { filter, count: 1 }, { origin: undefined });
  };
  await expect(find(2)).resolves.toMatchObject({ totalResults: 100 });
  await expect(find(60)).rejects.toMatchObject({ scimType: 'tooMany', name: 'ValidationError' });
});
