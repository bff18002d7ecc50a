import { expect } from 'vitest';
import { buildSwitchOn, changeRequestCalls, createProtectedProject, inAnHour } from '../../harness/change-requests.ts';
import type { Service } from '../../harness/service.ts';
import type { World } from '../../harness/world.ts';
import { test } from '../../specifications/specify.ts';

/** Creates an administrator, a service account with a token created by them, and one with a token created by the first. */
async function createParticipants(service: Service, world: World) {
  const place = await createProtectedProject(world);
  const { projectId, environment, role } = place;
  const { project, ask, bring, configure } = changeRequestCalls(world, place);
  const person = await world.tokenOfRole(1);
  const member = await world.tokenOfRole(3, [{ project: projectId, roles: [role] }]);
  const made = async (username: string, token: string) => {
    const path = '/api/admin/service-account';
    const { id } = (await service.post(path, { name: username, username, rootRole: 1 }, { token })).body;
    const sent = { description: username, expiresAt: inAnHour().toISOString() };
    return (await service.post(`${path}/${id}/token`, sent, { token })).body.secret as string;
  };
  const account = await made('robot', person);
  const further = await made('robot-of-robot', account);
  return {
    ...{ tokens: [person, account, further] as const, member, configure },
    async ask(token: string): Promise<number> {
      const { name } = await world.feature({ project: projectId, environment });
      const { id } = (await ask(token, buildSwitchOn(name))).body;
      await bring(token, id, 'In review');
      return id;
    },
    bring: (id: number, token: string, state: string) => bring(token, id, state),
    actionable: async (token: string) =>
      (await service.get(`${project}/change-requests/actionable`, { token })).body.total,
  };
}

test('The creator of a token cannot approve what it requests, not even with another token', async ({
  service,
  world,
}) => {
  const { tokens, member, ask, bring, actionable } = await createParticipants(service, world);
  for (const author of tokens) {
    const id = await ask(author);
    for (const other of tokens) {
      expect(await bring(id, other, 'Approved')).toMatchObject({ status: 403 });
      expect(await actionable(other)).toBe(0);
    }
    expect(await actionable(member)).toBe(1);
    expect(await bring(id, member, 'Approved')).toMatchObject({ body: { state: 'Approved' } });
    expect(await bring(id, member, 'Applied')).toMatchObject({ status: 200 });
  }
});

test('The approvals of a person and of tokens that they created count as one', async ({ service, world }) => {
  const { configure, tokens, member, ask, bring } = await createParticipants(service, world);
  await configure({ requiredApprovals: 2 });
  const id = await ask(await world.tokenOfRole(3));
  const [first, ...others] = tokens;
  expect(await bring(id, first, 'Approved')).toMatchObject({ body: { state: 'In review' } });
  for (const other of others) expect(await bring(id, other, 'Approved')).toMatchObject({ status: 400 });
  expect(await bring(id, member, 'Approved')).toMatchObject({ body: { state: 'Approved' } });
});
