import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getAccessOverview', {
  route: 'GET /api/admin/access/overview',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => {
    await world.user();
    return {};
  },
});

test('It has the role, the groups and the projects of every user, as JSON and as CSV', async ({ service, world }) => {
  const [project, other] = [await world.project(), await world.project()];
  const { id, username } = await world.user({ inProject: { project, role: 'Member' } });
  const group = await world.groupId({ name: '=cmd, "quoted"', users: [{ user: { id } }] });
  await world.ask('PUT', `/api/admin/projects/${other}/groups/${group}/roles`, { roles: [6] });
  const { overview } = (await service.get('/api/admin/access/overview')).body;
  expect(overview.at(-1)).toMatchObject({
    ...{ userId: id, userName: username, userEmail: '', rootRole: 'Viewer' },
    ...{ accessibleProjects: [project, other].toSorted(), groups: ['=cmd, "quoted"'] },
  });
  const csv = await service.get('/api/admin/access/overview', { headers: { accept: 'text/csv' } });
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  const [head, , line] = csv.text.trimEnd().split('\r\n');
  expect(head).toBe('userId,userName,userEmail,createdAt,lastSeen,rootRole,accessibleProjects,groups');
  // No spreadsheet takes it for a formula.
  expect(line).toContain(`"'=cmd, ""quoted"""`);
});
