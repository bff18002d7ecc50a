import { expect } from 'vitest';
import * as changeRequestKeys from '../../../lib/change-requests/keys.ts';
import { readItem } from '../../../lib/store/read.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import {
  createChangeRequest,
  createLargeRequest,
  createOverride,
  createProtectedProject,
  createScene,
  featuresOfLarge,
  inAMonth,
} from '../../harness/change-requests.ts';
import type { World } from '../../harness/world.ts';
import { strategyPlaces, variantsBody, wholeStrategy } from '../../specifications/bodies.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

type Made = Awaited<ReturnType<typeof createChangeRequest>>;

/** Builds a request about a change request in a state, by its author unless another sender is given. */
async function about(
  world: World,
  state: Parameters<typeof createChangeRequest>[1],
  more: (made: Made) => object = () => ({}),
) {
  const made = await createChangeRequest(world, state);
  const { projectId, id, author: authorization } = made;
  return { params: { projectId, id }, headers: { authorization }, ...more(made) };
}

/** Builds a read about a project with a change request. */
async function within(world: World) {
  const { projectId, featureName, environment, author: authorization } = await createChangeRequest(world);
  return { params: { projectId, featureName, environment }, headers: { authorization } };
}

specify('addChangeRequestChanges', {
  route: 'POST /api/admin/projects/{projectId}/environments/{environment}/change-requests',
  may: 'any token',
  request: async (world) => {
    const { projectId, environment, featureName: feature, author: authorization } = await createScene(world);
    return {
      params: { projectId, environment },
      headers: { authorization },
      body: { feature, action: 'addStrategy', payload: await wholeStrategy(world) },
    };
  },
  others: {
    'several changes of one feature': async (world) => {
      const { projectId, environment, featureName: feature, author: authorization } = await createScene(world);
      const body = [
        { feature, action: 'updateEnabled', payload: { enabled: true, shouldActivateDisabledStrategies: false } },
        { feature, action: 'patchVariant', payload: { variants: variantsBody } },
      ];
      return { params: { projectId, environment }, headers: { authorization }, body };
    },
    'to a request that it names, with a title and a reason': async (world) => {
      const { projectId, environment, featureName: feature, author, id } = await createChangeRequest(world);
      const changes = [{ feature, action: 'archiveFeature' }];
      const body = { changes, title: 'Archive it', reason: 'Nobody uses it', changeRequest: id };
      return { params: { projectId, environment }, headers: { authorization: author }, body };
    },
    'a further one': async (world) => {
      const { projectId, environment, featureName: feature, author: authorization } = await createChangeRequest(world);
      const body = { feature, action: 'archiveFeature' };
      return { params: { projectId, environment }, headers: { authorization }, body };
    },
  },
  decides: 'action',
  required: ['feature', 'action', 'payload', ...strategyPlaces('payload').required],
  nullable: strategyPlaces('payload').nullable,
  again: 'once more',
  versionAt: 'replies',
  waits: 5,
});

specify('getChangeRequestsForProject', {
  route: 'GET /api/admin/projects/{projectId}/change-requests',
  may: 'any token',
  request: within,
});

specify('getPendingChangeRequests', {
  route: 'GET /api/admin/projects/{projectId}/change-requests/pending',
  may: 'any token',
  request: within,
  waits: 5,
});

specify('getOpenChangeRequests', {
  route: 'GET /api/admin/projects/{projectId}/change-requests/open',
  may: 'any token',
  request: within,
  waits: 5,
});

specify('getPendingChangeRequestsForFeature', {
  route: 'GET /api/admin/projects/{projectId}/change-requests/pending/{featureName}',
  may: 'any token',
  request: within,
  takesAnyName: ['featureName'],
  waits: 4,
});

specify('getActionableChangeRequests', {
  route: 'GET /api/admin/projects/{projectId}/change-requests/actionable',
  may: 'any token',
  request: within,
});

specify('countChangeRequests', {
  route: 'GET /api/admin/projects/{projectId}/change-requests/count',
  may: 'any token',
  request: within,
});

test('A request that is sent to review twice is refused with its state', async ({ world }) => {
  const { bring, author } = await createChangeRequest(world, 'In review');
  const message = 'The change request is already "In review".';
  expect(await bring(author, 'In review')).toMatchObject({ status: 400, body: { message } });
});

test('All change requests of a project are counted, also if there are more than its list shows', async ({
  service,
  world,
}) => {
  const { projectId, id, author } = await createChangeRequest(world, 'In review');
  const path = `/api/admin/projects/${projectId}/change-requests`;
  await service.put(`${path}/${id}/state`, { state: 'Cancelled' }, { token: author });
  const item = await readItem<{ readonly summary: string }>(
    service.table,
    changeRequestKeys.listedChangeRequest(projectId, 'CLOSED', id),
  );
  for (let other = 1_000; other < 1_400; other += 1) {
    const put = changeRequestKeys.listedChangeRequest(projectId, 'CLOSED', other);
    const summary = JSON.stringify({ ...JSON.parse(String(item?.summary)), id: other, state: 'Applied' });
    await transact(service.table, [{ put, item: { summary } }], undefined);
  }
  expect((await service.get(path)).body).toHaveLength(300);
  expect((await service.get(`${path}/count`)).body).toMatchObject({ total: 401, applied: 400 });
});

specify('getScheduledChangeRequests', {
  route: 'GET /api/admin/projects/{projectId}/change-requests/scheduled',
  may: 'any token',
  request: async (world) => {
    const { projectId, featureName: feature, author: authorization } = await createChangeRequest(world, 'Scheduled');
    return { params: { projectId }, query: { feature }, headers: { authorization } };
  },
});

specify('getChangeRequest', {
  route: 'GET /api/admin/projects/{projectId}/change-requests/{id}',
  may: 'any token',
  request: (world) => about(world, 'Approved'),
  waits: 3,
});

specify('deleteChangeRequest', {
  route: 'DELETE /api/admin/projects/{projectId}/change-requests/{id}',
  may: 'any token',
  request: (world) => about(world, 'In review'),
  others: { 'a draft': (world) => about(world, 'Draft') },
  again: 400,
  versionAt: 'GET /api/admin/projects/{projectId}/change-requests/{id}',
});

const stateOf = (state: string) => ({ body: { state, comment: 'Thanks' } });

specify('updateChangeRequestState', {
  route: 'PUT /api/admin/projects/{projectId}/change-requests/{id}/state',
  may: 'any token',
  request: (world) =>
    about(world, 'In review', ({ reviewer: authorization }) => ({
      ...stateOf('Approved'),
      headers: { authorization },
    })),
  others: {
    'sends to review': (world) => about(world, 'Draft', () => stateOf('In review')),
    rejects: (world) =>
      about(world, 'In review', ({ reviewer: authorization }) => ({
        ...stateOf('Rejected'),
        headers: { authorization },
      })),
    cancels: (world) => about(world, 'Approved', () => stateOf('Cancelled')),
    schedules: (world) =>
      about(world, 'Approved', ({ reviewer: authorization }) => ({
        body: { state: 'Scheduled', scheduledAt: inAMonth() },
        headers: { authorization },
        repeats: true,
      })),
    applies: (world) =>
      about(world, 'Approved', ({ reviewer: authorization }) => ({
        ...stateOf('Applied'),
        headers: { authorization },
        size: 2,
        waits: 6,
      })),
    'applies in parts': async (world) => {
      const { projectId, id, reviewer: authorization } = await createLargeRequest(world, 'Approved');
      return {
        params: { projectId, id },
        headers: { authorization },
        ...stateOf('Applied'),
        size: featuresOfLarge,
        // Each transaction is first decided on as the last one, and then as an earlier one.
        ...{ stages: 3, waits: 19 },
      };
    },
  },
  decides: 'state',
  required: ['state'],
  nullable: ['comment'],
  again: 400,
  versionAt: 'GET /api/admin/projects/{projectId}/change-requests/{id}',
  waits: 5,
});

specify('updateChangeRequestTitle', {
  route: 'PUT /api/admin/projects/{projectId}/change-requests/{id}/title',
  may: 'any token',
  request: (world) => about(world, 'In review', () => ({ body: { title: 'Switch it on' } })),
  required: ['title'],
  versionAt: 'GET /api/admin/projects/{projectId}/change-requests/{id}',
});

test('A title is stored without surrounding white space, and cannot be blank', async ({ service, world }) => {
  const { path, author: token, read } = await createChangeRequest(world, 'In review');
  const update = async (title: string) => (await service.put(`${path}/title`, { title }, { token })).status;
  expect([await update(' Switch it on '), await update('  ')]).toEqual([204, 400]);
  expect((await read()).title).toBe('Switch it on');
});

specify('updateChangeRequestChange', {
  route: 'PUT /api/admin/projects/{projectId}/change-requests/{id}/changes/{changeId}',
  may: 'any token',
  request: async (world) => {
    const {
      projectId,
      id,
      changes,
      featureName: feature,
      author: authorization,
    } = await createChangeRequest(world, 'In review');
    return {
      params: { projectId, id, changeId: changes[0] ?? 0 },
      headers: { authorization },
      body: { feature, action: 'addStrategy', payload: await wholeStrategy(world) },
    };
  },
  decides: 'action',
  required: ['feature', 'action', 'payload', ...strategyPlaces('payload').required],
  nullable: strategyPlaces('payload').nullable,
  again: 404,
  versionAt: 'GET /api/admin/projects/{projectId}/change-requests/{id}',
  waits: 4,
});

specify('deleteChangeRequestChange', {
  route: 'DELETE /api/admin/projects/{projectId}/change-requests/{id}/changes/{changeId}',
  may: 'any token',
  request: (world) =>
    about(world, 'In review', ({ projectId, id, changes }) => ({ params: { projectId, id, changeId: changes[0] } })),
  again: 404,
  versionAt: 'GET /api/admin/projects/{projectId}/change-requests/{id}',
  waits: 3,
});

specify('addChangeRequestComment', {
  route: 'POST /api/admin/projects/{projectId}/change-requests/{id}/comments',
  may: 'any token',
  request: (world) => about(world, 'In review', () => ({ body: { text: 'Why?' } })),
  required: ['text'],
  again: 'once more',
  versionAt: 'GET /api/admin/projects/{projectId}/change-requests/{id}',
});

specify('getAvailableChangeRequestReviewers', {
  route: 'GET /api/admin/projects/{projectId}/change-requests/available-reviewers/{environment}',
  may: 'any token',
  request: within,
  takesAnyName: ['environment'],
  waits: 2,
});

specify('getRequestedApprovers', {
  route: 'GET /api/admin/projects/{projectId}/change-requests/{id}/approvers',
  may: 'any token',
  request: (world) => about(world, 'Draft'),
  waits: 2,
});

specify('updateRequestedApprovers', {
  route: 'PUT /api/admin/projects/{projectId}/change-requests/{id}/approvers',
  may: 'any token',
  request: async (world) => {
    const { id: reviewer } = await world.user();
    return about(world, 'In review', () => ({ body: { reviewers: [reviewer] } }));
  },
  required: ['reviewers'],
  versionAt: 'GET /api/admin/projects/{projectId}/change-requests/{id}',
});

specify('getChangeRequestDiff', {
  route: 'GET /api/admin/projects/{projectId}/change-requests/{id}/diff',
  may: 'any token',
  request: (world) => about(world, 'Approved'),
  waits: 3,
});

specify('searchChangeRequests', {
  route: 'GET /api/admin/search/change-requests',
  may: 'any token',
  request: async (world) => {
    const { author: authorization } = await createChangeRequest(world, 'In review');
    return {
      headers: { authorization },
      query: { state: 'IS:open', createdBy: 'IS:1', requestedApproverId: 'IS:1', offset: 0, limit: 25 },
    };
  },
  waits: 2,
});

specify('startChangeRequestOverride', {
  route: 'POST /api/admin/projects/{projectId}/environments/{environment}/change-requests/override',
  ...openTo('Admin', 'APPROVE_CHANGE_REQUEST'),
  request: async (world) => {
    const { projectId, environment } = await createProtectedProject(world);
    const authorization = await world.tokenOfRole(1);
    return {
      params: { projectId, environment },
      headers: { authorization },
      body: { reason: 'Orders fail', minutes: 60 },
    };
  },
  required: ['reason', 'minutes'],
  again: 400,
  unversioned: 'it makes a new thing',
  waits: 5,
});

specify('getChangeRequestOverrides', {
  route: 'GET /api/admin/projects/{projectId}/environments/{environment}/change-requests/override',
  may: 'any token',
  request: async (world) => ({ params: await createOverride(world) }),
  takesAnyName: ['environment'],
  waits: 2,
});

specify('endChangeRequestOverride', {
  route: 'DELETE /api/admin/projects/{projectId}/environments/{environment}/change-requests/override/{id}',
  ...openTo('Admin', 'APPROVE_CHANGE_REQUEST'),
  request: async (world) => ({ params: await createOverride(world) }),
  again: 404,
  versionAt: 'GET /api/admin/projects/{projectId}/change-requests/{id}',
  waits: 3,
});

specify('reviewChangeRequestOverride', {
  route: 'POST /api/admin/projects/{projectId}/change-requests/{id}/review',
  may: 'any token',
  request: async (world) => {
    const { projectId, id, reviewer: authorization } = await createOverride(world, 'ended');
    return { params: { projectId, id }, headers: { authorization }, body: { comment: 'All of it is right' } };
  },
  required: ['comment'],
  again: 400,
  versionAt: 'GET /api/admin/projects/{projectId}/change-requests/{id}',
});

test('The error of an unknown action ends after a whole name, and that of a long text quotes its beginning', async ({
  service,
  world,
}) => {
  const path = `/api/admin/projects/${await world.project()}/environments/development/change-requests`;
  const messageFor = async (body: object) => (await service.post(path, body)).body.details[0].message;
  expect(await messageFor({ action: 'approve' })).toMatch(/^Invalid type: Expected \(("\w+" \| ){5,}…$/);
  const payload = { enabled: 'x'.repeat(500) };
  expect(await messageFor({ feature: 'f', action: 'updateEnabled', payload })).toMatch(
    /^Invalid type: Expected .+ but received "x+…$/,
  );
});
