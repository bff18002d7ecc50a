import { describe, expect } from 'vitest';
import { applyDue, cancelExpired } from '../../../lib/change-requests/schedules/schedule.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import {
  askedPlace,
  askingOn,
  changeRequestCalls,
  featuresOfLarge,
  largeRequest,
  madeRequest,
} from '../../harness/change-requests.ts';
import { protect } from '../../harness/protection.ts';
import { betweenReadAndWrite, recordStoreRequests } from '../../harness/store-requests.ts';
import type { World } from '../../harness/world.ts';
import { test } from '../../specifications/specify.ts';

type Made = Awaited<ReturnType<typeof madeRequest>>;

const died = () => Promise.reject(new Error('The process is gone.'));

/** Calls about a change request, by the tokens of its people. */
function callsOn(world: World, made: Made) {
  const { ask: add, bring, get, eventsOf, project } = changeRequestCalls(world, made);
  const { id, author, reviewer } = made;
  const strategies = `${project}/features/${made.featureName}/environments/${made.environment}/strategies`;
  const apply = (headers?: object) => bring(reviewer, id, 'Applied', headers);
  return {
    ...{ add, apply },
    read: () => get(id, author),
    bring: (token: string, state: string, headers?: object) => bring(token, id, state, headers),
    /** Applies it, until a transaction comes at which something else happens, such as the death of the process. */
    applyUntil: (transaction: number, between: () => Promise<unknown> = died) =>
      betweenReadAndWrite(world.service.table, between, apply, 'TransactWriteItems', transaction),
    eventsOf: async (type: string) => (await eventsOf(id)).filter((each) => each === type),
    strategiesThere: async () => (await world.ask('GET', strategies)).body,
    addStrategy: () => world.ask('POST', strategies, { name: 'default', title: 'direct' }),
    switchOff: () => world.ask('POST', strategies.replace(/strategies$/, 'off')),
  };
}

describe('A change request', () => {
  test('holds all changes that its author asks for at the same time, in one draft', async ({ service, world }) => {
    const { projectId, environment, author: token, featureName: feature } = await askedPlace(world);
    const path = `/api/admin/projects/${projectId}/environments/${environment}/change-requests`;
    const titles = Array.from({ length: 16 }, (_, index) => `number ${index}`);
    const answers = await Promise.all(
      titles.map((title) =>
        service.post(path, { feature, action: 'addStrategy', payload: { name: 'default', title } }, { token }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(titles.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const { body } = await service.get(`/api/admin/projects/${projectId}/change-requests/pending`, { token });
    expect(body).toHaveLength(1);
    const { changes } = body[0].features[0];
    expect(changes.map(({ payload }: { payload: { title: string } }) => payload.title).toSorted()).toEqual(
      titles.toSorted(),
    );
    expect(new Set(changes.map(({ id }: { id: number }) => id)).size).toBe(16);
    expect((await changeRequestCalls(world, { projectId, environment }).eventsOf(body[0].id)).toSorted()).toEqual(
      ['change-request-created', ...titles.map(() => 'change-added')].toSorted(),
    );
  });

  test('of each of 16 people at the same time is their own', async ({ service, world }) => {
    const { projectId, environment, featureName: feature } = await askedPlace(world);
    const path = `/api/admin/projects/${projectId}/environments/${environment}/change-requests`;
    const people = await Promise.all(Array.from({ length: 16 }, () => world.tokenOfRole(3)));
    const answers = await Promise.all(people.map((token) => service.post(path, askingOn(feature), { token })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(16);
    for (const { body } of answers) expect(body.features[0].changes).toHaveLength(1);
  });

  test('is not approved by an approval that an edit overtakes, be it with a version', async ({ service, world }) => {
    for (const withVersion of [true, false]) {
      const made = await madeRequest(world, 'In review');
      const { author, reviewer, featureName: feature, id, projectId } = made;
      const { add, read, bring } = callsOn(world, made);
      const { headers } = await service.get(`/api/admin/projects/${projectId}/change-requests/${id}`, {
        token: reviewer,
      });
      const late = await betweenReadAndWrite(
        service.table,
        () => add(author, { feature, action: 'patchVariant', payload: { variants: [] } }),
        () => bring(reviewer, 'Approved', withVersion ? { 'if-match': String(headers.etag) } : {}),
      );
      expect(late.status, late.text).toBe(withVersion ? 412 : 409);
      expect(await read()).toMatchObject({ state: 'In review', approvals: [] });
    }
  });

  test('is applied once by two who apply it at the same time', async ({ service, world }) => {
    const made = await madeRequest(world, 'Approved');
    const { apply, eventsOf, strategiesThere } = callsOn(world, made);
    const late: unknown[] = [];
    const first = await betweenReadAndWrite(service.table, async () => late.push(await apply()), apply);
    expect(late).toMatchObject([{ status: 200 }]);
    expect(first).toMatchObject({ status: 400 });
    expect(await strategiesThere()).toHaveLength(1);
    expect(await eventsOf('feature-strategy-add')).toHaveLength(1);
    expect(await eventsOf('change-request-applied')).toHaveLength(1);
  });

  test('loses nothing of a direct change that comes while it is applied', async ({ service, world }) => {
    const made = await madeRequest(world, 'Approved');
    const { apply, addStrategy, strategiesThere } = callsOn(world, made);
    const answer = await betweenReadAndWrite(service.table, addStrategy, apply);
    expect(answer).toMatchObject({ status: 200 });
    expect((await strategiesThere()).map(({ title }: { title: string | null }) => title ?? '').toSorted()).toEqual([
      '',
      'direct',
    ]);
  });

  test.for(['Rejected', 'Cancelled'])(
    'that is %s while it is applied stays as it was',
    async (state, { service, world }) => {
      const made = await madeRequest(world, 'Approved');
      const { apply, bring, read, strategiesThere } = callsOn(world, made);
      const answer = await betweenReadAndWrite(
        service.table,
        () => bring(state === 'Cancelled' ? made.author : made.reviewer, state),
        apply,
      );
      expect(answer.status).toBe(400);
      expect(await read()).toMatchObject({ state });
      expect(await strategiesThere()).toEqual([]);
    },
  );

  test('shows at its next read what somebody else has changed', async ({ service, world }) => {
    const made = await madeRequest(world, 'Approved');
    const path = `/api/admin/projects/${made.projectId}/change-requests/${made.id}`;
    const { headers } = await service.get(path);
    await service.put(`/api/admin/projects/${made.projectId}/features/${made.featureName}`, { archived: true });
    const again = await service.get(path, { headers: { 'if-none-match': String(headers.etag) } });
    expect(again).toMatchObject({ status: 200, body: { features: [{ changes: [{ conflict: /archived|not/ }, {}] }] } });
  });
});

describe('A change request that takes several transactions', () => {
  test('is applied whole where it names the version that it rests on', async ({ service, world }) => {
    const made = await largeRequest(world, 'Approved');
    const { apply, eventsOf } = callsOn(world, made);
    const { headers } = await service.get(`/api/admin/projects/${made.projectId}/change-requests/${made.id}`);
    const answer = await apply({ 'if-match': String(headers.etag) });
    expect(answer.status, answer.text).toBe(200);
    expect(await eventsOf('feature-environment-enabled')).toHaveLength(featuresOfLarge);
    expect(await eventsOf('segment-updated')).toHaveLength(1);
  });

  test.for([16, 17])(
    'says before how many they are, at most until it is approved and then exactly: %i features',
    async (count, { service, world }) => {
      let names: string[] = [];
      const on = (feature = '') => askingOn(feature);
      const made = await madeRequest(world, 'In review', async ({ projectId: project, environment }) => {
        names = await world.featureNames(count, { project, environment });
        return names.map(on);
      });
      // To suspend it takes writes, too.
      await madeRequest(world, 'Scheduled', async () => [on(names[0])]);
      const { apply, bring } = callsOn(world, made);
      const path = `/api/admin/projects/${made.projectId}/change-requests/${made.id}/diff`;
      const announced = async () => (await service.get(path, { token: made.author })).body.transactions.length;
      const atMost = await announced();
      await bring(made.reviewer, 'Approved');
      const exactly = await announced();
      const asked = await recordStoreRequests(service.table, apply);
      expect(asked.filter(({ command }) => command === 'TransactWrite')).toHaveLength(exactly);
      expect([exactly, atMost]).toEqual(count === 16 ? [1, 1] : [2, 2]);
    },
  );

  test('is not edited while a part of it is applied, and completed when asked again', async ({ world }) => {
    const made = await largeRequest(world, 'Approved');
    const { apply, applyUntil, eventsOf, add, read } = callsOn(world, made);
    expect(await applyUntil(2)).toMatchObject({ status: 500 });
    expect(await eventsOf('segment-updated')).toHaveLength(1);
    const edit = await add(made.author, { feature: made.featureName, action: 'archiveFeature' });
    expect(edit.status, edit.text).toBe(400);
    expect(await read()).toMatchObject({ state: 'Approved' });
    expect(await apply()).toMatchObject({ status: 200, body: { state: 'Applied' } });
  });

  test('is completed only with its segment as approved, once a part of it is applied', async ({ service, world }) => {
    let segment = { id: 0, name: '' };
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }];
    const made = await madeRequest(world, 'Approved', async ({ projectId, environment }) => {
      const names = await world.featureNames(featuresOfLarge, { project: projectId, environment });
      segment = await world.segment({ project: projectId });
      return [
        { action: 'updateSegment', payload: { ...segment, project: projectId, constraints } },
        ...names.map(askingOn),
        { feature: names.at(-1), action: 'addStrategy', payload: { name: 'default', segments: [segment.id] } },
      ];
    });
    const { apply, applyUntil } = callsOn(world, made);
    await applyUntil(2);
    const turn = async (to: object[]) => {
      const body = { name: segment.name, project: made.projectId, constraints: to };
      expect(await service.put(`/api/admin/segments/${segment.id}`, body)).toMatchObject({ status: 204 });
    };
    await turn([]);
    expect(await apply()).toMatchObject({ status: 409 });
    await turn(constraints);
    expect(await applyUntil(2, () => turn([]))).toMatchObject({ status: 409 });
    await turn(constraints);
    expect(await apply()).toMatchObject({ body: { state: 'Applied' } });
  });

  test.for(['Rejected', 'Cancelled', 'expired'])(
    'says what of it is applied and stays, where it is %s before it was completed',
    async (how, { service, world }) => {
      await service.put('/api/admin/change-requests/settings', { adminsSkip: true, expiryDays: 1 });
      const made = await largeRequest(world, 'Approved');
      const { bring, read, applyUntil } = callsOn(world, made);
      await applyUntil(2);
      if (how === 'expired') await cancelExpired(service.table, new Date(Date.now() + 86_400_000));
      else await bring(how === 'Rejected' ? made.reviewer : made.author, how);
      const { segments, comments } = await read();
      const part = `segment "${segments[0].payload.id}"`;
      expect(comments).toMatchObject([{ text: expect.stringContaining(`stays as it is: ${part}, `) }]);
      const { body } = await service.get(`/api/admin/search/events?groupId=IS:change-request-${made.id}&limit=1`);
      expect(body.events).toMatchObject([{ data: { applied: expect.arrayContaining([part]) } }]);
    },
  );

  test('is completed once by somebody whom another one has left the last part to', async ({ service, world }) => {
    const made = await largeRequest(world, 'Approved');
    const { apply, applyUntil, eventsOf } = callsOn(world, made);
    expect(await betweenReadAndWrite(service.table, () => applyUntil(3), apply)).toMatchObject({
      body: { state: 'Applied' },
    });
    expect(await eventsOf('feature-environment-enabled')).toHaveLength(featuresOfLarge);
    expect(await eventsOf('change-request-applied')).toHaveLength(1);
  });

  test('is completed however late it is, once a part of it was applied in time', async ({ service, world }) => {
    await service.put('/api/admin/change-requests/settings', { adminsSkip: true, lateMinutesMax: 10 });
    const made = await largeRequest(world, 'Scheduled');
    const { scheduledAt } = (await callsOn(world, made).read()).schedule;
    const minutesLate = (minutes: number) =>
      applyDue(service.table, new Date(Date.parse(scheduledAt) + minutes * 60_000));
    const cut = betweenReadAndWrite(service.table, died, () => minutesLate(1), 'TransactWriteItems', 2);
    await expect(cut).rejects.toThrow('gone');
    await minutesLate(11);
    expect(await callsOn(world, made).read()).toMatchObject({ state: 'Applied' });
  });
});

test('A segment of all projects is changed only by those who may change it directly', async ({ world }) => {
  const made = await madeRequest(world, 'Draft');
  const { add, apply, bring } = callsOn(world, made);
  const segment = await world.segment();
  await add(made.author, { action: 'updateSegment', payload: { ...segment, constraints: [], description: 'mine' } });
  await bring(made.author, 'In review');
  await bring(made.reviewer, 'Approved');
  expect(await apply()).toMatchObject({ status: 403 });
});

test.for([
  { what: 'changes no segment where another project needs approval', action: 'updateSegment', isProtected: true },
  { what: 'deletes no segment that another project uses', action: 'deleteSegment', isProtected: false },
])('A schedule $what, and does not tell of a hidden one', async ({ action, isProtected }, { service, world }) => {
  const made = await madeRequest(world, 'Draft');
  const { add, bring } = callsOn(world, made);
  const segment = await world.segment();
  const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }];
  await add(made.author, { action, payload: { ...segment, constraints } });
  await bring(made.author, 'In review');
  await bring(made.reviewer, 'Approved');
  const scheduler = await world.tokenOfRole(2, [{ project: made.projectId, roles: [made.role] }]);
  const path = `/api/admin/projects/${made.projectId}/change-requests/${made.id}`;
  const scheduledAt = new Date(Date.now() + 60_000);
  const sent = { state: 'Scheduled', scheduledAt: scheduledAt.toISOString() };
  expect(await service.put(`${path}/state`, sent, { token: scheduler })).toMatchObject({ status: 200 });

  const project = await world.project();
  const hidden = await world.feature({ project });
  await world.strategy(hidden, { name: 'default', segments: [segment.id] });
  if (isProtected) await protect(service.table, { projectId: project, environment: 'development' });
  await service.put(`/api/admin/projects/${project}/settings`, { mode: 'private' });
  await applyDue(anotherProcess(service.table), scheduledAt);
  const { body, text } = await service.get(path, { token: made.author });
  const reason = expect.stringContaining(isProtected ? 'need approval' : 'is in use: 1 elsewhere');
  expect(body.schedule).toMatchObject({ status: 'failed', reason });
  expect(text).not.toMatch(new RegExp(`"${project}|${hidden.name}"`));
  expect((await service.get(`/api/admin/segments/${segment.id}`)).body.constraints).toEqual([]);
});

const longComment = { text: '\u0001'.repeat(1_000) };
const constraint = {
  contextName: 'userId',
  operator: 'IN',
  values: Array.from({ length: 200 }, (_, index) => `${index}`.padStart(90, '0')),
};
const longChange = (feature: string) => ({
  ...{ feature, action: 'addStrategy' },
  payload: { name: 'default', constraints: Array(4).fill(constraint) },
});

/** Sends a request until it is refused, with the reason for that. */
async function fill(send: () => Promise<{ status: number; body: { message: string } }>): Promise<void> {
  for (;;) {
    const { status, body } = await send();
    if (status < 300) continue;
    expect([status, body.message]).toEqual([400, expect.stringMatching(/at most .* bytes|at most .* comments/)]);
    return;
  }
}

test.for(['long', 'short'])(
  'Comments keep nobody from changes and decisions, nor changes from comments: %s',
  async (length, { service, world }) => {
    const made = await madeRequest(world, 'In review');
    const said = length === 'long' ? longComment : { text: 'Why?' };
    const { add, read } = callsOn(world, made);
    const path = `/api/admin/projects/${made.projectId}/change-requests/${made.id}`;
    const put = async (token: string, state: string) =>
      (await service.put(`${path}/state`, { state, comment: longComment.text }, { token })).status;
    const comment = () => service.post(`${path}/comments`, said, { token: made.reviewer });
    await fill(comment);
    const { comments } = await read();
    expect((await add(made.author, longChange(made.featureName))).status).toBe(200);
    expect([await put(made.reviewer, 'Approved'), await put(made.reviewer, 'Rejected')]).toEqual([200, 200]);
    expect((await read()).comments).toHaveLength(comments.length + 2);
    const other = await madeRequest(world, 'In review');
    const place = `/api/admin/projects/${other.projectId}/change-requests/${other.id}`;
    await fill(() => callsOn(world, other).add(other.author, longChange(other.featureName)));
    expect((await service.post(`${place}/comments`, said, { token: other.reviewer })).status).toBe(204);
  },
);

test('A segment is changed also where full requests under a schedule use it', async ({ service, world }) => {
  const segment = await world.segment();
  const scheduledAt = new Date(Date.now() + 60_000).toISOString();
  const schedule = async () => {
    const { projectId, featureName: feature, ...made } = await madeRequest(world, 'Draft');
    const { add, bring } = callsOn(world, { projectId, featureName: feature, ...made });
    const payload = { name: 'default', segments: [segment.id] };
    await add(made.author, { feature, action: 'addStrategy', payload });
    const path = `/api/admin/projects/${projectId}/change-requests/${made.id}`;
    await fill(() => service.post(`${path}/comments`, longComment, { token: made.author }));
    await fill(() => add(made.author, longChange(feature)));
    await bring(made.author, 'In review');
    await bring(made.reviewer, 'Approved');
    return (await service.put(`${path}/state`, { state: 'Scheduled', scheduledAt }, { token: made.reviewer })).status;
  };
  for (let times = 0; times < 10; times += 1) expect(await schedule()).toBe(200);
  expect(await schedule()).toBe(400);
  const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }];
  const changed = await service.put(`/api/admin/segments/${segment.id}`, { name: segment.name, constraints });
  expect(changed.status, changed.text).toBe(204);
});
