import { expect } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { configureChangeRequests } from '../../../lib/projects/change-request-config.ts';
import { protectedProject } from '../../harness/change-requests.ts';
import type { Service } from '../../harness/service.ts';
import type { World } from '../../harness/world.ts';
import { test } from '../../specifications/specify.ts';

/** An administrator, a service account with a token that they have made, and one whose token that one has made. */
async function parties(service: Service, world: World) {
  const { projectId, environment, role } = await protectedProject(world);
  const person = await world.tokenOfRole(1);
  const member = await world.tokenOfRole(3, [{ project: projectId, roles: [role] }]);
  const made = async (username: string, token: string) => {
    const path = '/api/admin/service-account';
    const { id } = (await service.post(path, { name: username, username, rootRole: 1 }, { token })).body;
    const sent = { description: username, expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
    return (await service.post(`${path}/${id}/token`, sent, { token })).body.secret as string;
  };
  const account = await made('robot', person);
  const further = await made('robot-of-robot', account);
  const project = `/api/admin/projects/${projectId}`;
  const ask = async (token: string) => {
    const { name: feature } = await world.feature({ project: projectId, environment });
    const change = { feature, action: 'updateEnabled', payload: { enabled: true } };
    const { id } = (await service.post(`${project}/environments/${environment}/change-requests`, change, { token }))
      .body;
    await bring(id, token, 'In review');
    return id as number;
  };
  const bring = (id: number, token: string, state: string) =>
    service.put(`${project}/change-requests/${id}/state`, { state }, { token });
  const actionable = async (token: string) =>
    (await service.get(`${project}/change-requests/actionable`, { token })).body.total;
  return { projectId, environment, tokens: [person, account, further] as const, member, ask, bring, actionable };
}

test('Who has made a token does not approve what it asks for, nor by another token', async ({ service, world }) => {
  const { tokens, member, ask, bring, actionable } = await parties(service, world);
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

test('The approvals of a person and of tokens that they have made are one', async ({ service, world }) => {
  const { projectId, environment, tokens, member, ask, bring } = await parties(service, world);
  const config = { changeRequestsEnabled: true, requiredApprovals: 2 };
  await configureChangeRequests(service.table, systemUser, { projectId, environment }, config);
  const id = await ask(await world.tokenOfRole(3));
  const [first, ...others] = tokens;
  expect(await bring(id, first, 'Approved')).toMatchObject({ body: { state: 'In review' } });
  for (const other of others) expect(await bring(id, other, 'Approved')).toMatchObject({ status: 400 });
  expect(await bring(id, member, 'Approved')).toMatchObject({ body: { state: 'Approved' } });
});
