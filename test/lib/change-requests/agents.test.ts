import { expect, vi } from 'vitest';
import { cancelExpired } from '../../../lib/change-requests/schedules/expiry.ts';
import { applyDue } from '../../../lib/change-requests/schedules/schedule.ts';
import { suspendSchedules } from '../../../lib/change-requests/schedules/suspension.ts';
import { setChangeRequestSettings } from '../../../lib/change-requests/settings.ts';
import { systemUser } from '../../../lib/events/actor.ts';
import { createFeature } from '../../../lib/features/create-feature.ts';
import { assertMayChange } from '../../../lib/features/items/direct-change.ts';
import { loadProposalGate } from '../../../lib/identity/access-flags/approval-gate.ts';
import { listTokens, revokeToken } from '../../../lib/identity/tokens/tokens.ts';
import { buildSwitchOn, changeRequestCalls, inAnHour } from '../../harness/change-requests.ts';
import { newAgentOf, newTokenOf } from '../../harness/features.ts';
import { protect } from '../../harness/protection.ts';
import type { Service } from '../../harness/service.ts';
import { stoppedClock } from '../../harness/stopped-clock.ts';
import type { World } from '../../harness/world.ts';
import { test } from '../../specifications/specify.ts';

const environment = 'development';

/** Creates a project in which changes need no approval, a feature, an Editor with an agent, and a Viewer. */
async function createScene(service: Service, world: World) {
  const projectId = await world.project({ environments: [environment, 'production'] });
  const { name } = await world.feature({ project: projectId, environment });
  const owner = { username: world.name('owner'), rootRole: 'Editor' } as const;
  const [person, agent, viewer] = await Promise.all([
    newTokenOf(service, owner),
    newAgentOf(service, owner),
    world.token({ rootRole: 'Viewer' }),
  ]);
  const calls = changeRequestCalls(world, { projectId, environment });
  const isOn = async () =>
    (await world.ask('GET', `${calls.project}/features/${name}/environments/${environment}`)).body.enabled;
  const proposal = { changes: [buildSwitchOn(name)], title: 'Switch on', reason: 'The tests pass' };
  return {
    ...{ projectId, name, owner, person, agent, viewer, ...calls, isOn, proposal },
    propose: async (token = agent) => {
      const { body, status, text } = await calls.ask(token, proposal);
      if (status !== 200) throw new Error(text);
      return body.id as number;
    },
    newAgent: (description: string) => newAgentOf(service, owner, description),
    read: (token: string, id: number) => service.get(`${calls.project}/change-requests/${id}`, { token }),
  };
}

test('An agent changes nothing where changes need no approval, and its owner approves and applies what it proposes', async ({
  service,
  world,
}) => {
  const { agent, person, viewer, project, name, propose, bring, isOn } = await createScene(service, world);
  const on = `${project}/features/${name}/environments/${environment}/on`;
  expect(await service.post(on, undefined, { token: agent })).toMatchObject({ status: 403 });
  const id = await propose();
  expect(await bring(agent, id, 'In review')).toMatchObject({ body: { state: 'In review' } });
  for (const state of ['Approved', 'Rejected', 'Applied', { state: 'Scheduled', scheduledAt: inAnHour() }])
    expect(await bring(agent, id, state)).toMatchObject({ status: 403, body: { name: 'NoAccessError' } });
  const diff = await service.get(`${project}/change-requests/${id}/diff`, { token: agent });
  expect(diff.body).toMatchObject({ conflicts: [], features: [{ name }] });
  // Without an approval, nobody applies it.
  expect(await bring(person, id, 'Applied')).toMatchObject({ status: 400 });
  expect(await bring(viewer, id, 'Approved')).toMatchObject({ status: 403 });
  expect(await bring(viewer, id, 'Rejected')).toMatchObject({ status: 403 });
  expect(await bring(person, id, 'Approved')).toMatchObject({ body: { state: 'Approved' } });
  expect(await bring(viewer, id, 'Applied')).toMatchObject({ status: 403 });
  expect(await bring(agent, id, 'Applied')).toMatchObject({ status: 403 });
  expect(await isOn()).toBe(false);
  expect(await bring(person, id, 'Applied')).toMatchObject({ body: { state: 'Applied' } });
  expect(await isOn()).toBe(true);
});

test('Where changes need approval, even if only since the proposal, neither an agent nor its owner approves', async ({
  service,
  world,
}) => {
  const { projectId, agent, person, propose, bring, isOn } = await createScene(service, world);
  const role = await world.role({
    permissions: [{ name: 'APPROVE_CHANGE_REQUEST' }, { name: 'APPLY_CHANGE_REQUEST' }],
  });
  const other = await world.tokenOfRole(3, [{ project: projectId, roles: [role] }]);
  const id = await propose();
  await bring(agent, id, 'In review');
  expect(await bring(person, id, 'Approved')).toMatchObject({ body: { state: 'Approved' } });
  await protect(service.table, { projectId, environment });
  expect(await bring(person, id, 'Applied')).toMatchObject({ status: 403 });
  expect(await bring(other, id, 'Applied')).toMatchObject({ status: 409 });
  const admin = await world.tokenOfRole(1);
  const owner = { username: world.name('admin'), rootRole: 'Admin' } as const;
  const [ownerOfOther, agentOfOther] = [await newTokenOf(service, owner), await newAgentOf(service, owner)];
  const second = await propose(agentOfOther);
  await bring(agentOfOther, second, 'In review');
  expect(await bring(ownerOfOther, second, 'Approved')).toMatchObject({ status: 403 });
  for (const [token, each] of [
    [other, id],
    [admin, second],
  ] as const) {
    expect(await bring(token, each, 'Approved')).toMatchObject({ body: { state: 'Approved' } });
    expect(await isOn()).toBe(each === second);
    await bring(token, each, 'Applied');
  }
});

test('The maker of a token of a service account cannot approve what its agent proposes', async ({ service, world }) => {
  const { projectId, propose, bring } = await createScene(service, world);
  await protect(service.table, { projectId, environment });
  const maker = await world.tokenOfRole(1);
  const { id: account } = await world.serviceAccount();
  const body = { description: 'bot', expiresAt: inAnHour(), scope: 'propose' };
  const created = await service.post(`/api/admin/service-account/${account}/token`, body, { token: maker });
  expect(created.body).toMatchObject({ scope: 'propose' });
  const id = await propose(created.body.secret);
  await bring(created.body.secret, id, 'In review');
  expect(await bring(maker, id, 'Approved')).toMatchObject({ status: 403 });
});

test('A draft of an agent is its own: its owner sees and edits it, but no other agent does, nor does it join theirs', async ({
  service,
  world,
}) => {
  const { projectId, agent, person, viewer, propose, read, project, name, newAgent, ask, bring } = await createScene(
    service,
    world,
  );
  await protect(service.table, { projectId, environment });
  const own = (await ask(person, buildSwitchOn(name))).body.id;
  const [id, further] = [await propose(), await propose()];
  expect(new Set([own, id, further]).size).toBe(3);
  const other = await newAgent('another');
  expect([(await read(viewer, id)).status, (await read(other, id)).status, (await read(agent, own)).status]).toEqual([
    404, 404, 404,
  ]);
  expect((await read(person, id)).body).toMatchObject({
    createdBy: { agent: { name: 'helper' } },
    reason: 'The tests pass',
  });
  const pendingOf = async (token: string) =>
    (await service.get(`${project}/change-requests/pending`, { token })).body.map((each: { id: number }) => each.id);
  expect([await pendingOf(person), await pendingOf(agent), await pendingOf(other)]).toEqual([[own], [id, further], []]);
  const toAdd = { feature: name, action: 'addStrategy', payload: { name: 'default' } };
  // It adds to the request that it names, as its owner may.
  const more = { changeRequest: id, changes: [toAdd], reason: 'It is old' };
  expect((await ask(agent, more)).body).toMatchObject({ id, reason: 'It is old' });
  expect(await ask(other, more)).toMatchObject({ status: 404 });
  expect(await ask(agent, { ...more, changeRequest: own })).toMatchObject({ status: 404 });
  expect(await ask(person, more)).toMatchObject({ body: { id } });
  // Admin or not, an agent withdraws only its own.
  await bring(person, own, 'In review');
  const ofAdmin = await newAgentOf(service, { username: world.name('admin'), rootRole: 'Admin' });
  expect(await bring(ofAdmin, own, 'Cancelled')).toMatchObject({ status: 403 });
  expect(await service.call('DELETE', `${project}/change-requests/${own}`, { token: ofAdmin })).toMatchObject({
    status: 403,
  });
  expect(await service.call('DELETE', `${project}/change-requests/${id}`, { token: agent })).toMatchObject({
    status: 200,
  });
  expect(await bring(person, further, 'Cancelled')).toMatchObject({ status: 200 });
  expect(await pendingOf(agent)).toEqual([]);
});

test('A proposal is marked in lists of features and in the uses of a segment, also where changes need no approval', async ({
  service,
  world,
}) => {
  const { projectId, name, agent, viewer, ask, bring } = await createScene(service, world);
  const segment = await world.segment();
  const strategy = { name: 'default', segments: [segment.id] };
  const changes = [{ feature: name, action: 'addStrategy', payload: strategy }];
  const { id } = (await ask(agent, { changes, reason: 'The tests pass' })).body;
  const inLists = async () => {
    const read = async (path: string) => (await service.get(`/api/admin/${path}`, { token: viewer })).body;
    const lists = [
      await read(`console/flags?project=${projectId}`),
      await read('console/flags'),
      await read(`search/features?query=${name}`),
    ];
    const marks = lists.map(({ features, flags = features }) => {
      const flag = flags.find((each: { name: string }) => each.name === name);
      const on = flag.environments.find((each: { name: string }) => each.name === environment);
      return on.requests ?? on.changeRequestIds ?? [];
    });
    const { changeRequestStrategies } = await read(`segments/${segment.id}/strategies`);
    return [...marks, changeRequestStrategies.map((use: { changeRequest: { id: number } }) => use.changeRequest.id)];
  };
  // Nobody else sees a draft.
  expect(await inLists()).toEqual([[], [], [], []]);
  await bring(agent, id, 'In review');
  expect(await inLists()).toEqual([[id], [id], [id], [id]]);
  await bring(agent, id, 'Cancelled');
  expect(await inLists()).toEqual([[], [], [], []]);
});

test('A proposal needs a reason, and its events name the owner, the token and the program', async ({
  service,
  world,
}) => {
  const { agent, name, ask, bring, project, owner } = await createScene(service, world);
  const { id } = (await ask(agent, buildSwitchOn(name))).body;
  expect(await bring(agent, id, 'In review')).toMatchObject({ status: 400, body: { details: [{ path: 'comment' }] } });
  const headers = { 'user-agent': 'claude-code/2.1 (macOS)\n' };
  const sent = { state: 'In review', comment: 'Nobody uses it' };
  await bring(agent, id, sent, headers);
  const events = (await world.ask('GET', `/api/admin/search/events?groupId=IS:change-request-${id}`)).body.events;
  const by = { createdBy: owner.username, agent: { token: expect.any(Number), name: 'helper' } };
  expect(events).toMatchObject([
    { type: 'change-request-sent-to-review', ...by, data: { reason: 'Nobody uses it' } },
    { type: 'change-added', ...by },
    { type: 'change-request-created', ...by },
  ]);
  expect(events[0].agent.client).toBe('claude-code/2.1 (macOS)');
  const { body } = await service.get(`${project}/change-requests/${id}`);
  expect(body).toMatchObject({ reason: 'Nobody uses it', comments: [{ createdBy: { agent: { name: 'helper' } } }] });
});

test('An agent has at most 20 open proposals, also if it makes many at the same time, and 50 changes in each', async ({
  service,
  world,
}) => {
  const { agent, person, ask, proposal, name, bring, newAgent, project } = await createScene(service, world);
  const replies = await Promise.all(Array.from({ length: 25 }, () => ask(agent, proposal)));
  const statuses = replies.map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([...Array(20).fill(200), ...Array(5).fill(400)]);
  expect(replies.find(({ status }) => status === 400)?.body.message).toContain('20 open proposals');
  expect((await ask(await newAgent('another'), proposal)).status).toBe(200);
  const [first, second] = replies.filter(({ status }) => status === 200).map(({ body }) => body.id);
  await bring(person, first, 'Cancelled');
  await service.call('DELETE', `${project}/change-requests/${second}`, { token: agent });
  expect((await ask(agent, proposal)).status).toBe(200);
  const change = { feature: name, action: 'addStrategy', payload: { name: 'default' } };
  const tooMany = { changes: Array(51).fill(change) };
  expect(await ask(agent, tooMany)).toMatchObject({ status: 400 });
});

test('An agent can make a limited number of calls in a minute, which others do not share', async ({
  service,
  world,
}) => {
  const { agent, person, ask, newAgent, proposal, project } = await createScene(service, world);
  using clock = stoppedClock();
  const refused = { changes: [] };
  const statuses = await Promise.all(Array.from({ length: 61 }, async () => (await ask(agent, refused)).status));
  expect(statuses.toSorted()).toEqual([...Array(60).fill(400), 429]);
  const limited = await ask(agent, proposal);
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  for (const token of [person, await newAgent('another')]) expect((await ask(token, refused)).status).toBe(400);
  // Reads have a limit of their own.
  const read = async () => (await service.get(`${project}/overview`, { token: agent })).status;
  let count = 0;
  while (count < 300 && (await read()) === 200) count += 1;
  expect(count).toBe(300 - 62);
  clock.pass(61_000);
  expect([await read(), (await ask(agent, proposal)).status]).toEqual([200, 200]);
});

test('An open proposal of an agent is cancelled after 30 days, which frees its slot', async ({ service, world }) => {
  const { agent, person, propose, bring, read } = await createScene(service, world);
  const [draft, sent] = [await propose(), await propose()];
  await bring(agent, sent, 'In review');
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  await cancelExpired(service.table, inDays(29));
  expect((await read(person, draft)).body.state).toBe('Draft');
  await cancelExpired(service.table, inDays(31));
  for (const id of [draft, sent]) expect((await read(person, id)).body.state).toBe('Cancelled');
});

test('A scheduled proposal is suspended by a direct change, and applied at its time, where changes need no approval', async ({
  service,
  world,
}) => {
  const { agent, person, propose, bring, read, isOn, project, name } = await createScene(service, world);
  const path = `${project}/features/${name}/environments/${environment}`;
  await world.ask('POST', `${path}/strategies`, { name: 'default' });
  const id = await propose();
  await bring(agent, id, 'In review');
  await bring(person, id, 'Approved');
  const schedule = () => bring(person, id, { state: 'Scheduled', scheduledAt: inAnHour() });
  expect(await schedule()).toMatchObject({ status: 200 });
  for (const state of ['on', 'off']) await world.ask('POST', `${path}/${state}`);
  expect((await read(person, id)).body.schedule.status).toBe('suspended');
  expect(await schedule()).toMatchObject({ status: 200 });
  await applyDue(service.table, new Date(inAnHour().getTime() + 1_000));
  expect((await read(person, id)).body.state).toBe('Applied');
  expect(await isOn()).toBe(true);
});

test('An agent has no more rights than its owner, and ends with its token', async ({ service, world }) => {
  const { agent, ask, proposal, projectId, owner, project } = await createScene(service, world);
  await world.ask('PUT', `/api/admin/projects/${projectId}/settings`, {
    mode: 'private',
    defaultStickiness: 'default',
  });
  expect((await service.get(`${project}/overview`, { token: agent })).status).toBe(200);
  const { id } =
    (await listTokens(service.table)).find(({ kind, name }) => kind === 'agent' && name === owner.username) ?? {};
  await revokeToken(service.table, String(id));
  using _ = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 6_000);
  expect(await ask(agent, proposal)).toMatchObject({ status: 401 });
});

test('An agent of an Admin lists the tokens of SDKs without their secrets', async ({ service, world }) => {
  const owner = { username: world.name('admin'), rootRole: 'Admin' } as const;
  const [person, agent] = [await newTokenOf(service, owner), await newAgentOf(service, owner)];
  const secret = await world.sdkToken('frontend');
  const list = async (token: string) => (await service.get('/api/admin/api-tokens', { token })).text;
  expect([(await list(person)).includes(secret), (await list(agent)).includes(secret)]).toEqual([true, false]);
});

test('An agent of an Admin reads no secret of an identity provider, and no invitation', async ({ service, world }) => {
  const agent = await newAgentOf(service, { username: world.name('admin'), rootRole: 'Admin' });
  for (const path of ['auth/oidc/settings', 'invite-link/tokens', `invite-link/tokens/${await world.invitation()}`]) {
    expect((await service.get(`/api/admin/${path}`)).status).toBe(200);
    expect((await service.get(`/api/admin/${path}`, { token: agent })).status).toBe(403);
  }
});

test('The gate of an agent refuses to store anything but change requests, for every caller', async ({
  service,
  world,
}) => {
  const { projectId, name } = await createScene(service, world);
  const refusal = 'only read and propose';
  const request = { ...service.table, gate: await loadProposalGate(service.table), effectsOf: suspendSchedules };
  const input = { name: `${name}-2`, type: 'release', description: null, impressionData: false, tags: [] } as const;
  await expect(createFeature(request, systemUser, projectId, { ...input, tags: [] })).rejects.toThrow(refusal);
  expect(() => assertMayChange(request, undefined, undefined)).toThrow(refusal);
  // A write that is no change of a feature reaches the transaction.
  await expect(setChangeRequestSettings(request, systemUser, { adminsSkip: false })).rejects.toThrow(refusal);
});
