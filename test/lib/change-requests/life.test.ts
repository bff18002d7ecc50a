import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { applyDue } from '../../../lib/change-requests/schedules/schedule.ts';
import * as featureKeys from '../../../lib/features/keys.ts';
import { hashOf, makeSecret } from '../../../lib/identity/tokens/token.ts';
import { changeItem } from '../../../lib/store/change-item.ts';
import { readItem } from '../../../lib/store/read.ts';
import { addInitTokens } from '../../../lib/tokens/init-tokens.ts';
import { createReviewTeam, inAnHour } from '../../harness/change-requests.ts';
import { protect } from '../../harness/protection.ts';
import { betweenReadAndWrite } from '../../harness/store-requests.ts';
import type { World } from '../../harness/world.ts';
import { test } from '../../specifications/specify.ts';
import { untilNoticed } from '../http/hidden-project.ts';

const environment = 'production';
const project = '/api/admin/projects/default';

/** Creates the people of a project with an environment in which changes need approval. */
async function createTeam(world: World) {
  const home = { projectId: 'default', environment };
  await protect(world.service.table, home);
  const permissions = ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'].map((name) => ({ name, environment }));
  const people = await createReviewTeam(world, { ...home, role: await world.role({ permissions }) });
  const userOf = async (token: string) =>
    (await world.ask('GET', '/api/admin/user', undefined, { authorization: token })).body.user.id;
  return {
    ...people,
    get: (id: number, token = people.author) => people.get(id, token),
    leave: async (token: string) => world.ask('DELETE', `/api/admin/user-admin/${await userOf(token)}`),
    /** An admin token without a user. */
    async tokenOfNobody() {
      const token = makeSecret('admin');
      await addInitTokens(world.service.table, { adminTokens: [token] });
      return { token, revoke: () => world.ask('DELETE', `/api/admin/api-tokens/${encodeURIComponent(token)}`) };
    },
  };
}

describe('A change request', () => {
  test('is created, reviewed and applied, and its events have the same groupId', async ({ service, world }) => {
    const { author, reviewer, name, on, place, ask, get, bring, apply, eventsOf } = await createTeam(world);
    expect(await service.post(`${place}/on`, undefined, { token: author })).toMatchObject({
      status: 403,
      body: { name: 'PermissionError', permissions: ['SKIP_CHANGE_REQUEST'] },
    });

    const made = await ask(author, on);
    expect(made).toMatchObject({ status: 200, body: { state: 'Draft', features: [{ name }], segments: [] } });
    const { id } = made.body;
    expect(await get(id, reviewer)).toMatchObject({ name: 'NotFoundError' });

    expect(await bring(author, id, { state: 'In review', comment: 'Please' })).toMatchObject({ status: 200 });
    expect(await bring(author, id, 'Approved')).toMatchObject({ status: 403 });
    expect(await apply(id)).toMatchObject({ status: 400 });
    expect(await bring(reviewer, id, 'Approved')).toMatchObject({ body: { state: 'Approved' } });
    expect(await get(id)).toMatchObject({ state: 'Approved', approvals: [{}], comments: [{ text: 'Please' }] });
    expect(await bring(author, id, 'Applied')).toMatchObject({ status: 403 });
    const done = { state: 'Applied', comment: 'Done' };
    expect(await bring(reviewer, id, done)).toMatchObject({ body: done });
    expect(await get(id)).toMatchObject({ comments: [{ text: 'Please' }, { text: 'Done' }] });
    const another = { title: 'Approved by the board' };
    expect(await service.put(`${project}/change-requests/${id}/title`, another, { token: author })).toMatchObject({
      status: 400,
    });

    const { body: feature } = await service.get(`${project}/features/${name}`);
    const state = feature.environments.find((each: { name: string }) => each.name === environment);
    expect(state).toMatchObject({ enabled: true, strategies: [{ name: 'flexibleRollout' }] });
    expect(await eventsOf(id)).toEqual([
      'change-request-applied',
      'feature-environment-enabled',
      'feature-strategy-add',
      'change-request-approved',
      'change-request-approval-added',
      'change-request-sent-to-review',
      'change-added',
      'change-request-created',
    ]);
  });

  test('shows its title and changes in events only after it was sent to review', async ({ service, world }) => {
    const { author, name, ask, bring } = await createTeam(world);
    const add = (title: string) =>
      ask(author, { feature: name, action: 'addStrategy', payload: { name: 'default', title } });
    const { id } = (await add('zero')).body;
    await service.put(`${project}/change-requests/${id}/title`, { title: 'for the outage' }, { token: author });
    await add('first');
    const events = async () => {
      const { body } = await service.get(`/api/admin/search/events?groupId=IS:change-request-${id}`);
      return JSON.stringify(body.events);
    };
    expect(await events()).not.toMatch(/first|outage/);
    await bring(author, id, 'In review');
    expect(await events()).toMatch(/outage.*first/);
    await add('second');
    expect(await events()).toContain('second');
  });

  test('names in a comment who changed its title after others could see the old one', async ({ service, world }) => {
    const { author, reviewer, on, ask, get, bring, schedule } = await createTeam(world);
    const { id } = (await ask(author, on)).body;
    const call = async (title: string) =>
      (await service.put(`${project}/change-requests/${id}/title`, { title }, { token: author })).status;
    const comments = async () => (await get(id)).comments.map(({ text }: { text: string }) => text);
    expect([await call('Draft'), await call('One percent')]).toEqual([204, 204]);
    expect(await comments()).toEqual([]);
    await bring(author, id, 'In review');
    await bring(reviewer, id, 'Approved');
    expect([await call('One percent'), await call('Everybody')]).toEqual([204, 204]);
    await schedule(id);
    expect(await call('Everybody, at night')).toBe(204);
    const { title, comments: said, createdBy, approvals } = await get(id);
    expect(said).toMatchObject([
      { text: 'Changed the title from "One percent" to "Everybody".', createdBy },
      { text: 'Changed the title from "Everybody" to "Everybody, at night".', createdBy },
    ]);
    expect([title, approvals.length]).toEqual(['Everybody, at night', 1]);
  });

  test('names in a comment who changed its title or reason while adding a change', async ({ world }) => {
    const { author, name, on, ask, get, bring } = await createTeam(world);
    const add = (more: object) =>
      ask(author, { changes: [{ feature: name, action: 'addStrategy', payload: { name: 'default' } }], ...more });
    const { id } = (await ask(author, on)).body;
    await add({ title: 'One percent', reason: 'To test it' });
    expect((await get(id)).comments).toEqual([]);
    await bring(author, id, 'In review');
    await add({ title: 'One percent', reason: 'To test it' });
    await add({});
    await add({ title: 'Everybody', reason: 'It works' });
    const { title, reason, comments, createdBy } = await get(id);
    expect([title, reason]).toEqual(['Everybody', 'It works']);
    expect(comments).toMatchObject([
      { text: 'Changed the title from "One percent" to "Everybody".', createdBy },
      { text: 'Changed the reason, which was "To test it".', createdBy },
    ]);
  });

  test('names people by their full names, and reviewers by the same name as their reviews', async ({
    service,
    world,
  }) => {
    const { author, reviewer, on, ask, get, bring } = await createTeam(world);
    const call = async (token: string, name: string) => {
      const { id, username, rootRole } = (await service.get('/api/admin/user', { token })).body.user;
      const body = { username, name, rootRole, email: `${username}@example.com` };
      await world.ask('PUT', `/api/admin/user-admin/${id}`, body);
      return id;
    };
    const [ann, bob] = [await call(author, 'Ann Weber'), await call(reviewer, 'Bob Miller')];
    onTestFinished(() => void vi.useRealTimers());
    untilNoticed();
    const { id } = (await ask(author, on)).body;
    await bring(author, id, { state: 'In review', comment: 'Ready' });
    await service.put(`${project}/change-requests/${id}/approvers`, { reviewers: [bob, ann] }, { token: author });
    await bring(reviewer, id, { state: 'Approved', comment: 'Good' });
    await call(reviewer, 'Robert Miller');
    const { createdBy, approvals, comments, features } = await get(id);
    const shown = [createdBy, ...[...comments, ...approvals, ...features[0].changes].map((each) => each.createdBy)];
    const names = ['Ann Weber', 'Ann Weber', 'Bob Miller', 'Bob Miller', 'Ann Weber'];
    expect(shown.map(({ username }) => username)).toEqual(names);
    // The admin UI lists a reviewer twice if the approval has another name.
    const { reviewers } = (await service.get(`${project}/change-requests/${id}/approvers`, { token: author })).body;
    expect(reviewers).toMatchObject([{ username: 'Bob Miller' }, { username: 'Ann Weber' }]);
  });

  test('that waits for the searching person comes first if they sort by that', async ({ service, world }) => {
    const { author, reviewer, on, ask, bring } = await createTeam(world);
    const review = (await ask(author, on)).body.id;
    await bring(author, review, 'In review');
    const own = (await ask(reviewer, on)).body.id;
    await bring(reviewer, own, 'In review');
    const found = async (token: string, query: string) => {
      const { body } = await service.get(`/api/admin/search/change-requests?${query}`, { token });
      return body.changeRequests.map(({ id }: { id: number }) => id);
    };
    expect(await found(reviewer, 'state=IS:open&sortBy=waiting')).toEqual([review, own]);
    expect(await found(author, 'state=IS:open&sortBy=waiting')).toEqual([own, review]);
    expect(await found(reviewer, 'state=IS:open&sortBy=createdAt')).toEqual([own, review]);
    expect(await found(reviewer, 'sortBy=waiting&sortOrder=asc')).toEqual([own, review]);
  });

  test('names in a comment whose approval an edit has made invalid', async ({ service, world }) => {
    const { author, reviewer, other, on, ask, get, bring, configure } = await createTeam(world);
    const { id } = (await ask(author, on)).body;
    await configure({ requiredApprovals: 2 });
    await bring(author, id, 'In review');
    await ask(author, { ...on, payload: { enabled: true, shouldActivateDisabledStrategies: true } });
    expect((await get(id)).comments).toEqual([]);
    for (const token of [reviewer, other]) await bring(token, id, 'Approved');
    const [first, second] = (await get(id)).approvals.map(({ createdBy }: { createdBy: object }) => createdBy);
    const changes = (await get(id)).features[0].changes;
    const path = `${project}/change-requests/${id}/changes/${changes[0].id}`;
    await service.call('DELETE', path, { token: author });
    const { comments, state, createdBy } = await get(id);
    const text = `Edited the changes, so the approvals of ${first.username} and ${second.username} no longer count.`;
    expect([comments, state]).toMatchObject([[{ text, createdBy }], 'In review']);
  });

  test('names in a comment the approver who can no longer approve', async ({ world }) => {
    const { author, reviewer, other, on, ask, get, bring, leave, configure } = await createTeam(world);
    await configure({ requiredApprovals: 2 });
    const { id } = (await ask(author, on)).body;
    await bring(author, id, 'In review');
    await bring(reviewer, id, 'Approved');
    const [{ createdBy: gone }] = (await get(id)).approvals;
    await leave(reviewer);
    await bring(other, id, { state: 'Approved', comment: 'Good' });
    const text = `The approval of ${gone.username} no longer counts: they may no longer approve this.`;
    expect((await get(id)).comments).toMatchObject([{ text, createdBy: { username: 'Flagstaff' } }, { text: 'Good' }]);
  });

  test('that was never sent to review is visible only to its author, also after they cancel it', async ({
    service,
    world,
  }) => {
    const { author, reviewer, on, ask, get, bring } = await createTeam(world);
    const { id } = (await ask(author, on)).body;
    expect(await bring(author, id, 'Cancelled')).toMatchObject({ status: 200 });
    expect(await get(id)).toMatchObject({ state: 'Cancelled' });
    expect(await get(id, reviewer)).toMatchObject({ name: 'NotFoundError' });
    const seenBy = async (token: string) => {
      const { body: listed } = await service.get(`${project}/change-requests`, { token });
      const { body: found } = await service.get('/api/admin/search/change-requests?state=IS:closed', { token });
      return [...listed, ...found.changeRequests].map((each: { id: number }) => each.id);
    };
    expect(await seenBy(author)).toEqual([id, id]);
    expect(await seenBy(reviewer)).toEqual([]);
  });

  test('is required for a direct change, but not for its repeat with the same idempotency key', async ({
    service,
    world,
  }) => {
    const { name } = await world.feature({ environment });
    const path = `${project}/features/${name}/environments/${environment}/strategies`;
    const token = await world.tokenOfRole(2);
    const add = (key: string) =>
      service.post(path, { name: 'default' }, { token, headers: { 'idempotency-key': key } });
    const first = await add('one');
    await protect(service.table, { projectId: 'default', environment });
    expect(await add('one')).toMatchObject({ status: 200, body: first.body });
    expect(await add('other')).toMatchObject({ status: 403, body: { name: 'PermissionError' } });
    expect((await service.get(path)).body).toHaveLength(1);
  });

  test('of a project with members can only be commented on by these', async ({ service, world }) => {
    const projectId = await world.project({ environments: ['development'] });
    await world.ask('PUT', `/api/admin/projects/${projectId}`, { name: 'Closed', mode: 'protected' });
    await protect(service.table, { projectId, environment: 'development' });
    const { name: feature } = await world.feature({ project: projectId, environment: 'development' });
    const member = await world.tokenOfRole(3, [{ project: projectId, roles: [5] }]);
    const asked = `/api/admin/projects/${projectId}/environments/development/change-requests`;
    const change = { feature, action: 'updateEnabled', payload: { enabled: true } };
    const { id } = (await service.post(asked, change, { token: member })).body;
    const requestPath = `/api/admin/projects/${projectId}/change-requests/${id}`;
    await service.put(`${requestPath}/state`, { state: 'In review' }, { token: member });
    const comment = (token: string) => service.post(`${requestPath}/comments`, { text: 'Why?' }, { token });
    expect(await comment(await world.tokenOfRole(3))).toMatchObject({ status: 403 });
    expect((await comment(member)).status).toBe(204);
  });

  test('is not applied by a person who has left the group with the permission', async ({ service, world }) => {
    const { on, get, approved, apply, schedule } = await createTeam(world);
    const token = await world.tokenOfRole(3);
    const ids: number[] = (await service.get('/api/admin/user-admin')).body.users.map(
      (each: { id: number }) => each.id,
    );
    const group = await world.groupId({ users: [{ user: { id: Math.max(...ids) } }] });
    const permissions = [{ name: 'APPLY_CHANGE_REQUEST', environment }];
    await world.ask('PUT', `${project}/groups/${group}/roles`, { roles: [await world.role({ permissions })] });
    const id = await approved(on);
    const scheduledAt = inAnHour();
    expect((await schedule(id, token, scheduledAt)).status).toBe(200);
    await world.ask('PUT', `/api/admin/groups/${group}`, { name: 'empty', users: [] });
    expect(await apply(id, token)).toMatchObject({ status: 403 });
    await applyDue(service.table, scheduledAt);
    expect(await get(id)).toMatchObject({ state: 'Scheduled', schedule: { status: 'failed' } });
  });

  test('is applied only as it was approved', async ({ world }) => {
    const { author, name, on, ask, get, approved, apply } = await createTeam(world);
    const id = await approved(on);
    await ask(author, { feature: name, action: 'addStrategy', payload: { name: 'default' } });
    expect(await get(id)).toMatchObject({ state: 'In review', approvals: [] });
    expect(await apply(id)).toMatchObject({ status: 400 });
  });

  test('is refused if somebody else has changed the old value, also for a schedule', async ({ service, world }) => {
    const { name, place, approved, schedule, apply } = await createTeam(world);
    const { body: strategy } = await service.post(`${place}/strategies`, { name: 'default', title: 'one' });
    const payload = { id: strategy.id, title: 'mine' };
    const id = await approved({ feature: name, action: 'updateStrategy', payload });
    await service.put(`${place}/strategies/${strategy.id}`, { name: 'default', title: 'theirs' });
    const details = [{ difference: { before: 'one', now: 'theirs', wanted: 'mine' } }];
    for (const asked of [schedule, apply]) expect(await asked(id)).toMatchObject({ status: 409, body: { details } });
  });

  test('keeps an omitted title of a strategy, which somebody else has changed', async ({ service, world }) => {
    const { name, place, approved, apply } = await createTeam(world);
    const { body: strategy } = await service.post(`${place}/strategies`, { name: 'default', title: 'one' });
    const id = await approved({
      feature: name,
      action: 'updateStrategy',
      payload: { id: strategy.id, disabled: true },
    });
    await service.put(`${place}/strategies/${strategy.id}`, { name: 'default', title: 'theirs' });
    expect(await apply(id)).toMatchObject({ status: 200 });
    expect((await service.get(`${place}/strategies`)).body).toMatchObject([{ title: 'theirs', disabled: true }]);
  });

  test('shows that an update of a strategy empties omitted lists', async ({ service, world }) => {
    const { author, name, place, ask, get } = await createTeam(world);
    const strategies = `${place}/strategies`;
    const constraint = { contextName: 'userId', operator: 'IN', values: ['1'] };
    const { id: strategy } = (await service.post(strategies, { name: 'default', constraints: [constraint] })).body;
    const { id } = (await ask(author, { feature: name, action: 'updateStrategy', payload: { id: strategy } })).body;
    await service.put(`${strategies}/${strategy}`, { constraints: [{ ...constraint, inverted: true }] });
    const [change] = (await get(id)).features[0].changes;
    expect(change.payload).toMatchObject({ constraints: [], variants: [] });
    const { body } = await service.get(`${project}/change-requests/${id}/diff`, { token: author });
    expect(body.conflicts).toMatchObject([{ differences: [{ property: 'constraints', wanted: [] }] }]);
  });

  test('accepts a segment without description or project like the direct change', async ({ service, world }) => {
    const { author, ask, approved, apply } = await createTeam(world);
    const { id, name } = await world.segment({ project: 'default' });
    const path = `/api/admin/segments/${id}`;
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }];
    const payload = { id, name, constraints };
    const theirs = { name, description: 'theirs', project: 'default', constraints: [] };
    const first = await approved({ action: 'updateSegment', payload: { ...payload, project: 'default' } });
    await service.put(path, theirs);
    expect(await apply(first)).toMatchObject({ status: 200 });
    expect((await service.get(path)).body).toMatchObject({ ...theirs, constraints });
    const { id: second } = (await ask(author, { action: 'updateSegment', payload })).body;
    await service.put(path, { ...theirs, project: null });
    const { body } = await service.get(`${project}/change-requests/${second}/diff`, { token: author });
    expect(body.conflicts).toMatchObject([
      {
        differences: [
          { property: 'constraints', wanted: constraints },
          { property: 'project', wanted: null },
        ],
      },
    ]);
  });

  test('of a segment is refused like the direct change, also when it is applied', async ({ service, world }) => {
    const { author, ask, approved, apply } = await createTeam(world);
    const [own, other] = [await world.segment({ project: 'default' }), await world.segment({ project: 'default' })];
    const contextName = world.name('field');
    const legalIs = (value: string, method = 'POST', path = '') =>
      world.ask(method, `/api/admin/context${path}`, { name: contextName, legalValues: [{ value }] });
    await legalIs('a');
    const constraints = [{ contextName, operator: 'IN', values: ['a'] }];
    const content = { name: own.name, project: 'default', constraints };
    const payload = { id: own.id, ...content };
    const id = await approved({ action: 'updateSegment', payload });
    await legalIs('b', 'PUT', `/${contextName}`);
    expect(await apply(id)).toMatchObject({ status: 409 });
    for (const wrong of [{}, { project: 'nowhere', constraints: [] }, { name: other.name, constraints: [] }]) {
      const { status, body } = await service.put(`/api/admin/segments/${own.id}`, { ...content, ...wrong });
      const asked = await ask(author, { action: 'updateSegment', payload: { ...payload, ...wrong } });
      expect(asked).toMatchObject({ status, body: { name: body.name } });
    }
  });

  test('enables only the strategies that were disabled when it was requested', async ({ service, world }) => {
    const { name, place, approved, apply } = await createTeam(world);
    const strategies = `${place}/strategies`;
    const { body: own } = await service.post(strategies, { name: 'default', disabled: true });
    const payload = { enabled: true, shouldActivateDisabledStrategies: true };
    const id = await approved({ feature: name, action: 'updateEnabled', payload });
    const { body: other } = await service.post(strategies, { name: 'default', disabled: true });
    expect(await apply(id)).toMatchObject({ status: 409 });
    await world.ask('DELETE', `${strategies}/${other.id}`);
    await service.post(`${strategies}/set-sort-order`, [{ id: own.id, sortOrder: 7 }]);
    expect(await apply(id)).toMatchObject({ status: 200 });
    expect((await service.get(strategies)).body).toMatchObject([{ id: own.id, disabled: false }]);
  });

  test('that overwrites changes of others enables only the strategies that were disabled before', async ({
    service,
    world,
  }) => {
    const { name, place, approved, apply, configure } = await createTeam(world);
    await service.post(`${place}/strategies`, { name: 'default', disabled: true });
    const payload = { enabled: true, shouldActivateDisabledStrategies: true };
    const id = await approved({ feature: name, action: 'updateEnabled', payload });
    await service.post(`${place}/strategies`, { name: 'default', disabled: true });
    await configure({ requiredApprovals: 1, onDrift: 'overwrite' });
    expect(await apply(id)).toMatchObject({ status: 200 });
    expect((await service.get(`${place}/strategies`)).body).toMatchObject([{ disabled: false }, { disabled: true }]);
  });

  test('is refused if a used segment was changed after the approval', async ({ service, world }) => {
    const { name, project, approved, apply } = await createTeam(world);
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
    const { body: segment } = await service.post('/api/admin/segments', { name: 'testers', constraints });
    const payload = { name: 'default', segments: [segment.id] };
    const id = await approved({ feature: name, action: 'addStrategy', payload });
    await service.put(`/api/admin/segments/${segment.id}`, { name: 'testers', constraints: [] });
    expect(await apply(id)).toMatchObject({ status: 409 });
    // The preview says which segment it is, who changed it, and how.
    const { body: diff } = await service.get(`${project}/change-requests/${id}/diff`);
    expect(diff.conflicts).toMatchObject([
      {
        segment: { id: segment.id, name: 'testers' },
        changedBy: { id: -42 },
        changedAt: expect.any(String),
        differences: [{ property: 'constraints', before: constraints, now: [] }],
      },
    ]);
    await service.put(`/api/admin/segments/${segment.id}`, { name: 'testers', constraints });
    expect(await apply(id)).toMatchObject({ body: { state: 'Applied' } });
  });

  test('is refused if a segment was changed that the request no longer changes itself', async ({ service, world }) => {
    const { author, reviewer, name, ask, bring, apply } = await createTeam(world);
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
    const content = () => ({ name: world.name('segment'), project: 'default', constraints });
    const update = async () => {
      const { id, name, project } = (await service.post('/api/admin/segments', content())).body;
      return { action: 'updateSegment', payload: { id, name, project, constraints } };
    };
    const own = await update();
    const used = own.payload.id;
    const turn = (to: object[]) => service.put(`/api/admin/segments/${used}`, { ...own.payload, constraints: to });
    const ways = [
      (path: string) => service.call('DELETE', path, { token: author }),
      async (path: string) => service.put(path, await update(), { token: author }),
    ];
    for (const leave of ways) {
      const uses = { feature: name, action: 'addStrategy', payload: { name: 'default', segments: [used] } };
      const { id, segments } = (await ask(author, [own, uses])).body;
      expect((await leave(`${project}/change-requests/${id}/changes/${segments[0].id}`)).status).toBeLessThan(300);
      await bring(author, id, 'In review');
      await bring(reviewer, id, 'Approved');
      await turn([]);
      expect(await apply(id)).toMatchObject({ status: 409 });
      await turn(constraints);
      expect(await bring(author, id, 'Cancelled')).toMatchObject({ status: 200 });
    }
  });

  test('adds the approved default strategy, and overwrites another one if that is allowed', async ({
    service,
    world,
  }) => {
    const { author, reviewer, on, place, ask, get, bring, apply, configure } = await createTeam(world);
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
    const segment = (await service.post('/api/admin/segments', { name: 'first', constraints })).body;
    const path = `${project}/environments/${environment}/default-strategy`;
    const addStrategy = (title: string) =>
      service.post(path, { name: 'flexibleRollout', title, segments: [segment.id] });
    await addStrategy('approved');
    const { id, contentHash } = (await ask(author, on)).body;
    await bring(author, id, 'In review');
    await bring(reviewer, id, 'Approved');
    const defaultChange = { action: 'addStrategy', payload: { title: 'approved', segments: [segment.id] } };
    expect(await get(id)).toMatchObject({ contentHash, features: [{ defaultChange }] });
    await addStrategy('other');
    expect(await apply(id)).toMatchObject({
      status: 409,
      body: {
        details: [{ path: expect.stringContaining('.defaultStrategy'), difference: { now: { title: 'other' } } }],
      },
    });
    await configure({ requiredApprovals: 1, onDrift: 'overwrite' });
    await service.put(`/api/admin/segments/${segment.id}`, { name: 'first', constraints: [] });
    expect(await apply(id)).toMatchObject({ status: 409 });
    await service.put(`/api/admin/segments/${segment.id}`, { name: 'first', constraints });
    expect(await apply(id)).toMatchObject({ status: 200 });
    const { body } = await service.get(place);
    expect(body).toMatchObject({ enabled: true, strategies: [{ title: 'approved' }] });
    expect(await get(id)).toMatchObject({ state: 'Applied', features: [{ defaultChange }] });
  });

  test('is not applied if it would add a default strategy that nobody has approved', async ({ service, world }) => {
    const { author, reviewer, on, place, ask, get, bring, apply } = await createTeam(world);
    const strategies = `${place}/strategies`;
    const { body: strategy } = await service.post(strategies, { name: 'default' });
    const first = (await ask(author, [{ ...on, action: 'addStrategy', payload: { name: 'default' } }, on])).body;
    const [added] = first.features[0].changes;
    const { id } = first;
    await world.ask('DELETE', `${strategies}/${strategy.id}`);
    await service.call('DELETE', `${project}/change-requests/${id}/changes/${added.id}`, {
      headers: { authorization: author },
    });
    const { features, contentHash } = await get(id);
    expect(features).toMatchObject([{ defaultChange: { payload: { name: 'flexibleRollout' } } }]);
    expect(contentHash).not.toBe(first.contentHash);
    await service.post(strategies, { name: 'default' });
    await ask(author, { ...on, action: 'patchVariant', payload: { variants: [] } });
    await bring(author, id, 'In review');
    await bring(reviewer, id, 'Approved');
    const [again] = (await service.get(strategies)).body;
    await world.ask('DELETE', `${strategies}/${again.id}`);
    expect(await apply(id)).toMatchObject({ status: 409 });
  });

  const approvedTeam = async (world: World) => {
    const people = await createTeam(world);
    return { ...people, id: await people.approved(people.on) };
  };

  test('is applied once at its scheduled time, by the first process that checks', async ({ service, world }) => {
    const { reviewer, id, name, get, schedule, eventsOf } = await approvedTeam(world);
    const scheduledAt = inAnHour();
    expect(await schedule(id, reviewer, scheduledAt)).toMatchObject({
      body: { state: 'Scheduled', scheduledAt: scheduledAt.toISOString() },
    });
    await applyDue(service.table, new Date(scheduledAt.getTime() - 1));
    expect(await get(id)).toMatchObject({ state: 'Scheduled', schedule: { status: 'pending' } });
    await Promise.all(Array.from({ length: 4 }, () => applyDue(service.table, scheduledAt)));
    expect(await get(id)).toMatchObject({ state: 'Applied' });
    const types = await eventsOf(id);
    expect(types.slice(0, 2)).toEqual(['change-request-scheduled-application-success', 'change-request-applied']);
    expect(types.filter((type) => type === 'feature-environment-enabled')).toHaveLength(1);
    expect((await service.get(`${project}/features/${name}`)).body.enabled).toBe(true);
  });

  test('names the person who scheduled it in the events of application, failure and suspension', async ({
    service,
    world,
  }) => {
    const [applied, failed, suspended] = [
      await approvedTeam(world),
      await approvedTeam(world),
      await approvedTeam(world),
    ];
    const eventsOf = async ({ id }: { id: number }) => {
      const { body } = await service.get(`/api/admin/search/events?groupId=IS:change-request-${id}`);
      return body.events as { type: string; createdBy: string; data: { scheduledBy?: string } | null }[];
    };
    const scheduledAt = inAnHour();
    for (const { id, other, schedule } of [applied, failed, suspended]) await schedule(id, other, scheduledAt);
    const names = await Promise.all(
      [applied, failed, suspended].map(async (each) => (await eventsOf(each))[0]?.createdBy),
    );
    expect(new Set(names).size).toBe(3);

    await failed.leave(failed.reviewer);
    await service.call('DELETE', `${project}/features/${suspended.name}`);
    await applyDue(service.table, scheduledAt);
    const [ofApplied, ofFailed, ofSuspended] = await Promise.all([applied, failed, suspended].map(eventsOf));
    expect(ofApplied?.slice(0, 3).map(({ type, createdBy }) => [type, createdBy])).toEqual([
      ['change-request-scheduled-application-success', names[0]],
      ['change-request-applied', names[0]],
      ['feature-environment-enabled', names[0]],
    ]);
    expect(ofFailed?.[0]).toMatchObject({
      type: 'change-request-scheduled-application-failure',
      data: { scheduledBy: names[1] },
    });
    expect(ofSuspended?.[0]).toMatchObject({
      type: 'change-request-schedule-suspended',
      data: { scheduledBy: names[2] },
    });
  });

  test.for(['Applied', 'Scheduled'])(
    'is not %s if an approver is deleted, even at that moment',
    async (state, { service, world }) => {
      const { reviewer, other, id, get, bring, leave } = await approvedTeam(world);
      const asked = { state, scheduledAt: inAnHour().toISOString() };
      const refused = { status: 409, body: { message: expect.stringContaining('has 0 of 1 required approvals') } };
      const bringIt = () => bring(other, id, asked);
      expect(await betweenReadAndWrite(service.table, () => leave(reviewer), bringIt)).toMatchObject(refused);
      expect(await bringIt()).toMatchObject(refused);
      expect(await get(id)).toMatchObject({ state: 'In review', approvals: [] });
    },
  );

  test.for(['an approver is deleted', 'more approvals are required'])(
    'can get further approvals if %s, and shows its present state',
    async (cause, { service, world }) => {
      const { author, reviewer, other, id, get, bring, apply, configure, leave } = await approvedTeam(world);
      const scheduled = await approvedTeam(world);
      const scheduledAt = inAnHour();
      const schedule = () => scheduled.schedule(scheduled.id, other, scheduledAt);
      await schedule();
      expect(await bring(other, id, 'Approved')).toMatchObject({ status: 400 });
      const isRaised = cause.startsWith('more');
      if (isRaised) await configure({ requiredApprovals: 2 });
      else for (const each of [reviewer, scheduled.reviewer]) await leave(each);
      const minApprovals = isRaised ? 2 : 1;
      const approvals = isRaised ? [{}] : [];
      const inReview = { state: 'In review', minApprovals, approvals };
      expect(await get(id)).toMatchObject(inReview);
      const listed = (await service.get(`${project}/change-requests`, { token: author })).body;
      expect(listed).toMatchObject([{ state: 'Scheduled', minApprovals, approvals }, inReview]);
      const found = await service.get(`/api/admin/search/change-requests?state=IS:open`, { token: author });
      expect(found.body.changeRequests).toMatchObject([{ state: 'Scheduled' }, { state: 'In review' }]);
      const { body } = await service.get(`${project}/change-requests/actionable`, { token: other });
      expect(body).toEqual({ total: 1 });

      await applyDue(service.table, scheduledAt);
      for (const one of [id, scheduled.id]) expect(await bring(other, one, 'Approved')).toMatchObject({ status: 200 });
      expect(await get(id)).toMatchObject({ state: 'Approved', approvals: [...approvals, {}] });
      expect(await apply(id, other)).toMatchObject({ status: 200 });
      expect(await get(scheduled.id)).toMatchObject({ state: 'Scheduled', schedule: { status: 'failed' } });
      expect(await schedule()).toMatchObject({ status: 200 });
      await applyDue(service.table, scheduledAt);
      expect(await get(scheduled.id)).toMatchObject({ state: 'Applied' });
    },
  );

  test('accepts two approvals at the same time, and none of a person who is deleted at that moment', async ({
    service,
    world,
  }) => {
    const { reviewer, other, id, get, bring, configure, leave } = await approvedTeam(world);
    const { reviewer: third } = await approvedTeam(world);
    await configure({ requiredApprovals: 3 });
    const approve = (token: string) => bring(token, id, 'Approved');
    const both = await betweenReadAndWrite(
      service.table,
      () => approve(third),
      () => approve(other),
    );
    expect(both).toMatchObject({ body: { state: 'Approved' } });
    await configure({ requiredApprovals: 4 });
    const { reviewer: fourth } = await approvedTeam(world);
    const late = await betweenReadAndWrite(
      service.table,
      () => leave(reviewer),
      () => approve(fourth),
    );
    expect(late).toMatchObject({ body: { state: 'In review' } });
    expect(await get(id)).toMatchObject({ state: 'In review', approvals: [{}, {}, {}] });
  });

  test('does not count the approval of a person who can no longer approve', async ({ service, world }) => {
    const { author, reviewer, other, id, name, ask, get, bring, schedule, configure, leave } =
      await approvedTeam(world);
    const scheduledAt = inAnHour();
    await schedule(id, other, scheduledAt);
    await configure({ requiredApprovals: 2 });
    const again = (await ask(author, { feature: name, action: 'addStrategy', payload: { name: 'default' } })).body.id;
    await bring(author, again, 'In review');
    await bring(reviewer, again, 'Approved');
    await leave(reviewer);
    await bring(other, again, 'Approved');
    expect(await get(again)).toMatchObject({ state: 'In review', approvals: [{}] });
    await applyDue(service.table, scheduledAt);
    expect(await get(id)).toMatchObject({
      schedule: { status: 'failed', reason: expect.stringContaining('has 0 of 2 required approvals') },
    });
  });

  test('does not count the approval of a deleted token without a user', async ({ world }) => {
    const { author, name, ask, get, bring, apply, configure, tokenOfNobody } = await createTeam(world);
    await configure({ selfApproval: 'admin' });
    const { token, revoke } = await tokenOfNobody();
    const { id } = (await ask(author, { feature: name, action: 'addStrategy', payload: { name: 'default' } })).body;
    await bring(author, id, 'In review');
    expect(await bring(token, id, 'Approved')).toMatchObject({ body: { state: 'Approved' } });
    expect(JSON.stringify(await get(id))).not.toContain(hashOf(token));
    await revoke();
    expect(await apply(id)).toMatchObject({ status: 409 });
    expect(await get(id)).toMatchObject({ state: 'In review', approvals: [] });
  });

  test('fails with the reason if it cannot be applied at its scheduled time', async ({ service, world }) => {
    const { reviewer, other, id, get, schedule, leave } = await approvedTeam(world);
    const scheduledAt = inAnHour();
    await schedule(id, other, scheduledAt);
    await leave(other);
    await applyDue(service.table, scheduledAt);
    expect(await get(id)).toMatchObject({
      state: 'Scheduled',
      schedule: {
        status: 'failed',
        reason: expect.stringContaining('who scheduled the change request, may no longer apply it'),
      },
    });
    const again = new Date(scheduledAt.getTime() + 60_000);
    await schedule(id, reviewer, again);
    await applyDue(service.table, again);
    expect(await get(id)).toMatchObject({ state: 'Applied' });
  });

  test('fails if the token without a user that scheduled it was deleted', async ({ service, world }) => {
    const { id, get, schedule, tokenOfNobody } = await approvedTeam(world);
    const { token, revoke } = await tokenOfNobody();
    const scheduledAt = inAnHour();
    const scheduled = await schedule(id, token, scheduledAt);
    expect(JSON.stringify([scheduled, await get(id)])).not.toContain(hashOf(token));
    await revoke();
    await applyDue(service.table, scheduledAt);
    expect(await get(id)).toMatchObject({ state: 'Scheduled', schedule: { status: 'failed' } });
  });

  test('fails if the service was down for longer than a schedule can be late', async ({ service, world }) => {
    await service.put('/api/admin/change-requests/settings', { adminsSkip: true, lateMinutesMax: 10 });
    const { reviewer, id, get, schedule } = await approvedTeam(world);
    const scheduledAt = inAnHour();
    await schedule(id, reviewer, scheduledAt);
    await applyDue(service.table, new Date(scheduledAt.getTime() + 601_000));
    expect(await get(id)).toMatchObject({ state: 'Scheduled', schedule: { status: 'failed' } });
  });

  test('is suspended by a direct change that invalidates it, and can be scheduled again', async ({
    service,
    world,
  }) => {
    const { reviewer, name, place, get, approved, schedule } = await createTeam(world);
    const { body: strategy } = await service.post(`${place}/strategies`, { name: 'default', title: 'one' });
    const payload = { id: strategy.id, title: 'mine' };
    const id = await approved({ feature: name, action: 'updateStrategy', payload });
    const scheduledAt = inAnHour();
    await schedule(id, reviewer, scheduledAt);

    await service.put(`${place}/strategies/${strategy.id}`, { name: 'default', title: 'one', sortOrder: 7 });
    expect(await get(id)).toMatchObject({ schedule: { status: 'pending' } });
    await service.put(`${place}/strategies/${strategy.id}`, { name: 'default', title: 'theirs' });
    expect(await get(id)).toMatchObject({ schedule: { status: 'suspended', reason: 'The strategy was updated.' } });
    await applyDue(service.table, scheduledAt);
    expect(await get(id)).toMatchObject({ state: 'Scheduled' });

    const again = new Date(scheduledAt.getTime() + 60_000);
    await schedule(id, reviewer, again);
    await applyDue(service.table, again);
    expect(await get(id)).toMatchObject({ state: 'Applied' });
    expect((await service.get(`${place}/strategies/${strategy.id}`)).body).toMatchObject({ title: 'mine' });
  });

  test('appears in the search of features, and in the uses of a segment', async ({ service, world }) => {
    const { author, reviewer, name, ask, bring } = await createTeam(world);
    const segment = await world.segment();
    const payload = { name: 'default', segments: [segment.id] };
    const { id } = (await ask(author, { feature: name, action: 'addStrategy', payload })).body;
    const named = async (token: string) => {
      const { body } = await service.get(`/api/admin/search/features?query=${name}`, { token });
      const on = body.features[0].environments.find((each: { name: string }) => each.name === environment);
      return on.changeRequestIds;
    };
    expect([await named(author), await named(reviewer)]).toEqual([[id], []]);
    await bring(author, id, 'In review');
    expect(await named(reviewer)).toEqual([id]);
    const { body } = await service.get(`/api/admin/segments/${segment.id}/strategies`, { token: reviewer });
    expect(body.changeRequestStrategies).toEqual([
      {
        ...{ projectId: 'default', featureName: name, environment, strategyName: 'default' },
        changeRequest: { id, title: null },
      },
    ]);
  });

  test('contains exactly the changes of an import that affect SDKs', async ({ service, world }) => {
    const { reviewer, other, name, get, bring, apply } = await createTeam(world);
    const token = await world.tokenOfRole(2);
    const strategy = { name: 'flexibleRollout', featureName: name, parameters: { rollout: '30' } };
    const data = {
      features: [{ name, description: 'From a file' }, { name: 'fresh' }],
      featureStrategies: [strategy, { ...strategy, featureName: 'fresh' }],
      featureEnvironments: [
        { name: environment, featureName: name, environment, enabled: true },
        { name: environment, featureName: 'fresh', environment, enabled: true },
      ],
      ...{ contextFields: [], featureTags: [], segments: [], tagTypes: [], dependencies: [], links: [] },
    };
    const file = { project: 'default', environment, data };
    expect((await service.post('/api/admin/features-batch/import', file, { token })).status).toBe(200);
    const shown = async (feature: string) => (await service.get(`${project}/features/${feature}`)).body;
    expect(await shown(name)).toMatchObject({ description: 'From a file', enabled: false });
    const [draft] = (await service.get(`${project}/change-requests/pending`, { token })).body;
    expect(draft).toMatchObject({ state: 'Draft', environment, features: [{ name }, { name: 'fresh' }] });
    expect(await service.post('/api/admin/features-batch/import', file, { token })).toMatchObject({ status: 409 });
    await bring(token, draft.id, 'In review');
    await bring(reviewer, draft.id, 'Approved');
    expect(await apply(draft.id, other)).toMatchObject({ status: 200 });
    expect(await get(draft.id)).toMatchObject({ state: 'Applied' });
    expect(await shown('fresh')).toMatchObject({ enabled: true });
    expect(await shown(name)).toMatchObject({ enabled: true });
  });

  test('says in its preview which change makes each event, so that changes without an effect are known', async ({
    service,
    world,
  }) => {
    const { author, name: feature, ask } = await createTeam(world);
    const segment = await world.segment({ name: 'staff', constraints: [] });
    const { body } = await ask(author, [
      { feature, action: 'updateEnabled', payload: { enabled: false } },
      { feature, action: 'addStrategy', payload: { name: 'flexibleRollout' } },
      { feature: null, action: 'updateSegment', payload: { id: segment.id, name: 'employees', constraints: [] } },
    ]);
    const [_switchOff, added] = body.features[0].changes;
    const { body: preview } = await service.get(`${project}/change-requests/${body.id}/diff`, { token: author });
    expect(preview.events).toMatchObject([
      { type: 'segment-updated', change: body.segments[0].id },
      { type: 'feature-strategy-add', change: added.id },
    ]);
  });

  test('is evaluated with only its features, as they would be after its application', async ({ service, world }) => {
    const { author, reviewer, name, on, place, ask, bring } = await createTeam(world);
    const segment = await world.segment();
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }];
    const { id } = (
      await ask(author, [
        { feature: name, action: 'addStrategy', payload: { name: 'default', segments: [segment.id] } },
        on,
        { action: 'updateSegment', payload: { id: segment.id, name: segment.name, constraints } },
      ])
    ).body;
    const evaluate = async (userId: string, token: string) => {
      const body = { context: { appName: 'test', userId } };
      return service.post(`/api/admin/playground/change-request/${id}`, body, { token });
    };
    expect(await evaluate('7', reviewer)).toMatchObject({ status: 404 });
    await bring(author, id, 'In review');
    const isOn = async (userId: string) => {
      const { body } = await evaluate(userId, reviewer);
      expect(body.features).toHaveLength(1);
      return body.features[0].environments[environment][0].isEnabled;
    };
    expect([await isOn('7'), await isOn('8')]).toEqual([true, false]);
    await service.post(`${place}/strategies`, { name: 'default' });
    const key = featureKeys.featureEnvironment(name, environment);
    const { version = 0 } = (await readItem<{ version: number }>(service.table, key)) ?? {};
    expect(version).toBeGreaterThan(0);
    // As if a change came between two reads.
    await changeItem(service.table, key, { set: { version: version - 1 } });
    const asked = evaluate('7', reviewer);
    await sleep(100);
    await changeItem(service.table, key, { set: { version } });
    expect(await asked).toMatchObject({ status: 200 });
  });

  test('needs new approvals if its author repeats the same change after the old value has changed', async ({
    service,
    world,
  }) => {
    const { author, reviewer, name, place, ask, get, bring, apply } = await createTeam(world);
    const { body: strategy } = await service.post(`${place}/strategies`, { name: 'default', title: 'one' });
    const change = { feature: name, action: 'updateStrategy', payload: { id: strategy.id, title: 'mine' } };
    const { id, features } = (await ask(author, change)).body;
    await bring(author, id, 'In review');
    await bring(reviewer, id, 'Approved');
    await service.put(`${place}/strategies/${strategy.id}`, { name: 'default', title: 'theirs' });
    const path = `${project}/change-requests/${id}/changes/${features[0].changes[0].id}`;
    expect((await service.put(path, change, { token: author })).status).toBe(200);
    expect(await get(id)).toMatchObject({ state: 'In review', approvals: [] });
    await bring(reviewer, id, 'Approved');
    expect(await apply(id)).toMatchObject({ status: 200 });
  });

  test('has at most 200 changes: a call that would exceed it adds nothing', async ({ world }) => {
    const { author, name, ask, get } = await createTeam(world);
    const change = { feature: name, action: 'patchVariant', payload: { variants: [] } };
    const { id } = (
      await ask(
        author,
        Array.from({ length: 199 }, () => change),
      )
    ).body;
    const full = { status: 400, body: { details: [{ message: 'A change request has at most 200 changes.' }] } };
    expect(await ask(author, [change, change])).toMatchObject(full);
    expect((await get(id)).features[0].changes).toHaveLength(199);
    expect(await ask(author, change)).toMatchObject({ status: 200 });
    expect(await ask(author, change)).toMatchObject(full);
    expect((await get(id)).features[0].changes).toHaveLength(200);
  });

  test('does not accept an edited change with another action or another feature', async ({ service, world }) => {
    const { author, name, on, ask, get } = await createTeam(world);
    const { id, features } = (await ask(author, on)).body;
    const path = `${project}/change-requests/${id}/changes/${features[0].changes[0].id}`;
    const { name: feature } = await world.feature({ environment });
    for (const other of [
      { feature: name, action: 'addStrategy', payload: { name: 'default' } },
      { ...on, feature },
    ]) {
      const answer = await service.put(path, other, { token: author });
      expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'action' }] } });
    }
    expect((await get(id)).features).toEqual(features);
  });

  test('keeps its last change after review began; a draft is deleted with it', async ({ service, world }) => {
    const { author, on, ask, get, bring } = await createTeam(world);
    const made = async () => {
      const { id, features } = (await ask(author, on)).body;
      const path = `${project}/change-requests/${id}/changes/${features[0].changes[0].id}`;
      return { id, take: () => service.call('DELETE', path, { token: author }) };
    };
    const draft = await made();
    expect(await draft.take()).toMatchObject({ status: 200 });
    expect(await get(draft.id)).toMatchObject({ name: 'NotFoundError' });
    const { id, take } = await made();
    await bring(author, id, 'In review');
    expect(await take()).toMatchObject({ status: 400 });
    expect(await get(id)).toMatchObject({ state: 'In review', features: [{ changes: [{}] }] });
  });
});
