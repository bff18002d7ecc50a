import { describe, expect } from 'vitest';
import { cancelExpired } from '../../../lib/change-requests/schedules/expiry.ts';
import { applyDue } from '../../../lib/change-requests/schedules/schedule.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import {
  buildSwitchOn,
  changeRequestCalls,
  createChangeRequest,
  createLargeRequest,
  createScene,
  featuresOfLarge,
} from '../../harness/change-requests.ts';
import { contentOf } from '../../harness/items.ts';
import { protect } from '../../harness/protection.ts';
import { betweenReadAndWrite, recordStoreRequests } from '../../harness/store-requests.ts';
import type { World } from '../../harness/world.ts';
import { problemsOf } from '../../invariants/problems.ts';
import { test } from '../../specifications/specify.ts';

type TestRequest = Awaited<ReturnType<typeof createChangeRequest>>;

const died = () => Promise.reject(new Error('The process is gone.'));

/** Reads the strategies of the feature of a change request. */
const strategiesOf = async (world: World, { place }: TestRequest) =>
  (await world.ask('GET', `${place}/strategies`)).body;

/** Applies a change request up to a transaction at which something else happens, such as the death of the process. */
const applyUntil = (
  world: World,
  changeRequest: TestRequest,
  transaction: number,
  between: () => Promise<unknown> = died,
) => betweenReadAndWrite(world.service.table, between, changeRequest.apply, 'TransactWriteItems', transaction);

describe('A change request', () => {
  test('contains all changes that its author requests at the same time, in one draft', async ({ service, world }) => {
    const { projectId, environment, author: token, featureName: feature } = await createScene(world);
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

  test('is created for each of 16 people at the same time', async ({ service, world }) => {
    const { projectId, environment, featureName: feature } = await createScene(world);
    const path = `/api/admin/projects/${projectId}/environments/${environment}/change-requests`;
    const people = await Promise.all(Array.from({ length: 16 }, () => world.tokenOfRole(3)));
    const answers = await Promise.all(people.map((token) => service.post(path, buildSwitchOn(feature), { token })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(16);
    for (const { body } of answers) expect(body.features[0].changes).toHaveLength(1);
  });

  test('is not approved by an approval that an edit overtakes, with or without a version', async ({
    service,
    world,
  }) => {
    for (const withVersion of [true, false]) {
      const changeRequest = await createChangeRequest(world, 'In review');
      const { reviewer, featureName: feature, add, bring } = changeRequest;
      const { headers } = await service.get(changeRequest.path, { token: reviewer });
      const late = await betweenReadAndWrite(
        service.table,
        () => add({ feature, action: 'patchVariant', payload: { variants: [] } }),
        () => bring(reviewer, 'Approved', withVersion ? { 'if-match': String(headers.etag) } : {}),
      );
      expect(late.status, late.text).toBe(withVersion ? 412 : 409);
      expect(await changeRequest.read()).toMatchObject({ state: 'In review', approvals: [] });
    }
  });

  test('is applied once by two people who apply it at the same time', async ({ service, world }) => {
    const changeRequest = await createChangeRequest(world, 'Approved');
    const { apply, eventsOf } = changeRequest;
    const late: unknown[] = [];
    const first = await betweenReadAndWrite(service.table, async () => late.push(await apply()), apply);
    expect(late).toMatchObject([{ status: 200 }]);
    expect(first).toMatchObject({ status: 400 });
    expect(await strategiesOf(world, changeRequest)).toHaveLength(1);
    expect(await eventsOf('feature-strategy-add')).toHaveLength(1);
    expect(await eventsOf('change-request-applied')).toHaveLength(1);
  });

  test('does not overwrite a direct change that comes while it is applied', async ({ service, world }) => {
    const changeRequest = await createChangeRequest(world, 'Approved');
    const addStrategy = () =>
      world.ask('POST', `${changeRequest.place}/strategies`, { name: 'default', title: 'direct' });
    const answer = await betweenReadAndWrite(service.table, addStrategy, changeRequest.apply);
    expect(answer).toMatchObject({ status: 200 });
    expect(
      (await strategiesOf(world, changeRequest)).map(({ title }: { title: string | null }) => title ?? '').toSorted(),
    ).toEqual(['', 'direct']);
  });

  test.for(['Rejected', 'Cancelled'])(
    'that is %s while it is applied has no effect',
    async (state, { service, world }) => {
      const changeRequest = await createChangeRequest(world, 'Approved');
      const { apply, bring, read } = changeRequest;
      const answer = await betweenReadAndWrite(
        service.table,
        () => bring(state === 'Cancelled' ? changeRequest.author : changeRequest.reviewer, state),
        apply,
      );
      expect(answer.status).toBe(400);
      expect(await read()).toMatchObject({ state });
      expect(await strategiesOf(world, changeRequest)).toEqual([]);
    },
  );

  test('shows at its next read a change by somebody else', async ({ service, world }) => {
    const changeRequest = await createChangeRequest(world, 'Approved');
    const { headers } = await service.get(changeRequest.path);
    await service.put(`${changeRequest.project}/features/${changeRequest.featureName}`, { archived: true });
    const again = await service.get(changeRequest.path, { headers: { 'if-none-match': String(headers.etag) } });
    expect(again).toMatchObject({ status: 200, body: { features: [{ changes: [{ conflict: /archived|not/ }, {}] }] } });
  });
});

describe('A change request that takes several transactions', () => {
  test('is applied completely with the version in If-Match', async ({ service, world }) => {
    const changeRequest = await createLargeRequest(world, 'Approved');
    const { eventsOf } = changeRequest;
    const { headers } = await service.get(changeRequest.path);
    const answer = await changeRequest.apply({ 'if-match': String(headers.etag) });
    expect(answer.status, answer.text).toBe(200);
    expect(await eventsOf('feature-environment-enabled')).toHaveLength(featuresOfLarge);
    expect(await eventsOf('segment-updated')).toHaveLength(1);
  });

  test.for([16, 17])(
    'says before how many they are, at most until it is approved and then exactly: %i features',
    async (count, { service, world }) => {
      let names: string[] = [];
      const on = (feature = '') => buildSwitchOn(feature);
      const changeRequest = await createChangeRequest(
        world,
        'In review',
        async ({ projectId: project, environment }) => {
          names = await world.featureNames(count, { project, environment });
          return names.map(on);
        },
      );
      // The suspension of another request takes writes, too.
      await createChangeRequest(world, 'Scheduled', async () => [on(names[0])]);
      const announced = async (): Promise<string[][]> =>
        (await service.get(`${changeRequest.path}/diff`, { token: changeRequest.author })).body.transactions;
      const atMost = (await announced()).length;
      await changeRequest.bring(changeRequest.reviewer, 'Approved');
      const transactions = await announced();
      expect(transactions.flat()).toEqual(names.map((each) => `feature "${each}"`));
      const exactly = transactions.length;
      const asked = await recordStoreRequests(service.table, changeRequest.apply);
      expect(asked.filter(({ command }) => command === 'TransactWrite')).toHaveLength(exactly);
      expect([exactly, atMost]).toEqual(count === 16 ? [1, 1] : [2, 2]);
    },
  );

  test('cannot be edited after a part of it was applied, and is completed by a repeat', async ({ world }) => {
    const changeRequest = await createLargeRequest(world, 'Approved');
    expect(await applyUntil(world, changeRequest, 2)).toMatchObject({ status: 500 });
    expect(await changeRequest.eventsOf('segment-updated')).toHaveLength(1);
    const edit = await changeRequest.add({ feature: changeRequest.featureName, action: 'archiveFeature' });
    expect(edit.status, edit.text).toBe(400);
    expect(await changeRequest.read()).toMatchObject({ state: 'Approved' });
    expect(await changeRequest.apply()).toMatchObject({ status: 200, body: { state: 'Applied' } });
  });

  test('is only completed if its segment is as approved, after a part of it was applied', async ({
    service,
    world,
  }) => {
    let segment = { id: 0, name: '' };
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }];
    const changeRequest = await createChangeRequest(world, 'Approved', async ({ projectId, environment }) => {
      const names = await world.featureNames(featuresOfLarge, { project: projectId, environment });
      segment = await world.segment({ project: projectId });
      return [
        { action: 'updateSegment', payload: { ...segment, project: projectId, constraints } },
        ...names.map(buildSwitchOn),
        { feature: names.at(-1), action: 'addStrategy', payload: { name: 'default', segments: [segment.id] } },
      ];
    });
    await applyUntil(world, changeRequest, 2);
    const turn = async (to: object[]) => {
      const body = { name: segment.name, project: changeRequest.projectId, constraints: to };
      expect(await service.put(`/api/admin/segments/${segment.id}`, body)).toMatchObject({ status: 204 });
    };
    await turn([]);
    expect(await changeRequest.apply()).toMatchObject({ status: 409 });
    await turn(constraints);
    expect(await applyUntil(world, changeRequest, 2, () => turn([]))).toMatchObject({ status: 409 });
    await turn(constraints);
    expect(await changeRequest.apply()).toMatchObject({ body: { state: 'Applied' } });
  });

  test.for(['Rejected', 'Cancelled', 'expired'])(
    'names the applied part in a comment if it is %s before it is completed',
    async (how, { service, world }) => {
      await service.put('/api/admin/change-requests/settings', { adminsSkip: true, expiryDays: 1 });
      const changeRequest = await createLargeRequest(world, 'Approved');
      await applyUntil(world, changeRequest, 2);
      if (how === 'expired') await cancelExpired(service.table, new Date(Date.now() + 86_400_000));
      else await changeRequest.bring(how === 'Rejected' ? changeRequest.reviewer : changeRequest.author, how);
      const { segments, comments } = await changeRequest.read();
      const part = `segment "${segments[0].payload.id}"`;
      expect(comments).toMatchObject([{ text: expect.stringContaining(`is not undone: ${part}, `) }]);
      const { body } = await service.get(
        `/api/admin/search/events?groupId=IS:change-request-${changeRequest.id}&limit=1`,
      );
      expect(body.events).toMatchObject([{ data: { applied: expect.arrayContaining([part]) } }]);
    },
  );

  test('is completed once by another person after a part of it was applied', async ({ service, world }) => {
    const changeRequest = await createLargeRequest(world, 'Approved');
    const { apply, eventsOf } = changeRequest;
    const first = () => applyUntil(world, changeRequest, 3);
    expect(await betweenReadAndWrite(service.table, first, apply)).toMatchObject({ body: { state: 'Applied' } });
    expect(await eventsOf('feature-environment-enabled')).toHaveLength(featuresOfLarge);
    expect(await eventsOf('change-request-applied')).toHaveLength(1);
  });

  test('leaves no reference to a schedule that is set before its last part', async ({ service, world }) => {
    const changeRequest = await createLargeRequest(world, 'Approved');
    expect(await applyUntil(world, changeRequest, 3, changeRequest.schedule)).toMatchObject({
      body: { state: 'Applied' },
    });
    expect(problemsOf(await contentOf(service.table))).toEqual([]);
  });

  test('is completed however late, after a part of it was applied in time', async ({ service, world }) => {
    await service.put('/api/admin/change-requests/settings', { adminsSkip: true, lateMinutesMax: 10 });
    const changeRequest = await createLargeRequest(world, 'Scheduled');
    const { scheduledAt } = (await changeRequest.read()).schedule;
    const minutesLate = (minutes: number) =>
      applyDue(service.table, new Date(Date.parse(scheduledAt) + minutes * 60_000));
    const cut = betweenReadAndWrite(service.table, died, () => minutesLate(1), 'TransactWriteItems', 2);
    await expect(cut).rejects.toThrow('gone');
    await minutesLate(11);
    expect(await changeRequest.read()).toMatchObject({ state: 'Applied' });
  });
});

test('A segment of all projects is changed only by people who can change it directly', async ({ world }) => {
  const changeRequest = await createChangeRequest(world, 'Draft');
  const { add, apply, bring } = changeRequest;
  const segment = await world.segment();
  await add({ action: 'updateSegment', payload: { ...segment, constraints: [], description: 'mine' } });
  await bring(changeRequest.author, 'In review');
  await bring(changeRequest.reviewer, 'Approved');
  expect(await apply()).toMatchObject({ status: 403 });
});

test.for([
  { what: 'changes no segment where another project needs approval', action: 'updateSegment', isProtected: true },
  { what: 'deletes no segment that another project uses', action: 'deleteSegment', isProtected: false },
])('A schedule $what, and does not reveal a hidden one', async ({ action, isProtected }, { service, world }) => {
  const changeRequest = await createChangeRequest(world, 'Draft');
  const { add, bring, path } = changeRequest;
  const segment = await world.segment();
  const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }];
  await add({ action, payload: { ...segment, constraints } });
  await bring(changeRequest.author, 'In review');
  await bring(changeRequest.reviewer, 'Approved');
  const scheduler = await world.tokenOfRole(2, [{ project: changeRequest.projectId, roles: [changeRequest.role] }]);
  const scheduledAt = new Date(Date.now() + 60_000);
  expect(await changeRequest.schedule(scheduledAt.toISOString(), scheduler)).toMatchObject({ status: 200 });

  const project = await world.project();
  const hidden = await world.feature({ project });
  await world.strategy(hidden, { name: 'default', segments: [segment.id] });
  if (isProtected) await protect(service.table, { projectId: project, environment: 'development' });
  await service.put(`/api/admin/projects/${project}/settings`, { mode: 'private' });
  await applyDue(anotherProcess(service.table), scheduledAt);
  const { body, text } = await service.get(path, { token: changeRequest.author });
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

/** Sends a request until it is refused for its size. */
async function fill(send: () => Promise<{ status: number; body: { message: string } }>): Promise<void> {
  for (;;) {
    const { status, body } = await send();
    if (status < 300) continue;
    expect([status, body.message]).toEqual([400, expect.stringMatching(/at most .* bytes|at most .* comments/)]);
    return;
  }
}

test.for(['long', 'short'])(
  'Full comments do not prevent changes and decisions, and full changes do not prevent comments: %s',
  async (length, { service, world }) => {
    const changeRequest = await createChangeRequest(world, 'In review');
    const said = length === 'long' ? longComment : { text: 'Why?' };
    const put = async (state: string) =>
      (await changeRequest.bring(changeRequest.reviewer, { state, comment: longComment.text })).status;
    await fill(() => service.post(`${changeRequest.path}/comments`, said, { token: changeRequest.reviewer }));
    const { comments } = await changeRequest.read();
    expect((await changeRequest.add(longChange(changeRequest.featureName))).status).toBe(200);
    expect([await put('Approved'), await put('Rejected')]).toEqual([200, 200]);
    expect((await changeRequest.read()).comments).toHaveLength(comments.length + 2);
    const other = await createChangeRequest(world, 'In review');
    await fill(() => other.add(longChange(other.featureName)));
    expect((await service.post(`${other.path}/comments`, said, { token: other.reviewer })).status).toBe(204);
  },
);

test('A segment can be changed also if the most scheduled requests with the most changes use it', async ({
  service,
  world,
}) => {
  const segment = await world.segment();
  const scheduledAt = new Date(Date.now() + 60_000).toISOString();
  const schedule = async () => {
    const { featureName: feature, add, bring, author, ...changeRequest } = await createChangeRequest(world, 'Draft');
    await add({ feature, action: 'addStrategy', payload: { name: 'default', segments: [segment.id] } });
    await fill(() => service.post(`${changeRequest.path}/comments`, longComment, { token: author }));
    await fill(() => add(longChange(feature)));
    await bring(author, 'In review');
    await bring(changeRequest.reviewer, 'Approved');
    return (await changeRequest.schedule(scheduledAt)).status;
  };
  for (let times = 0; times < 10; times += 1) expect(await schedule()).toBe(200);
  expect(await schedule()).toBe(400);
  const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }];
  const changed = await service.put(`/api/admin/segments/${segment.id}`, { name: segment.name, constraints });
  expect(changed.status, changed.text).toBe(204);
});
