import { madeOverride, protectedProject } from '../../harness/change-requests.ts';
import { specify } from '../../specifications/specify.ts';

specify('startChangeRequestOverride', {
  route: 'POST /api/admin/projects/{projectId}/environments/{environment}/change-requests/override',
  may: ['Admin'],
  needs: ['APPROVE_CHANGE_REQUEST'],
  request: async (world) => {
    const { projectId, environment } = await protectedProject(world);
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
  waits: 4,
});

specify('getChangeRequestOverrides', {
  route: 'GET /api/admin/projects/{projectId}/environments/{environment}/change-requests/override',
  may: 'any token',
  request: async (world) => {
    const { projectId, environment } = await madeOverride(world);
    return { params: { projectId, environment } };
  },
  takesAnyName: ['environment'],
  waits: 2,
});

specify('endChangeRequestOverride', {
  route: 'DELETE /api/admin/projects/{projectId}/environments/{environment}/change-requests/override/{id}',
  may: ['Admin'],
  needs: ['APPROVE_CHANGE_REQUEST'],
  request: async (world) => {
    const { projectId, environment, id } = await madeOverride(world);
    return { params: { projectId, environment, id } };
  },
  again: 404,
  versionAt: 'GET /api/admin/projects/{projectId}/change-requests/{id}',
  waits: 3,
});

specify('reviewChangeRequestOverride', {
  route: 'POST /api/admin/projects/{projectId}/change-requests/{id}/review',
  may: 'any token',
  request: async (world) => {
    const { projectId, id, reviewer: authorization } = await madeOverride(world, 'ended');
    return { params: { projectId, id }, headers: { authorization }, body: { comment: 'All of it is right' } };
  },
  required: ['comment'],
  again: 400,
  versionAt: 'GET /api/admin/projects/{projectId}/change-requests/{id}',
});
