import { expect } from 'vitest';
import { createReviewTeam, inAMonth } from '../../harness/change-requests.ts';
import { test } from '../../specifications/specify.ts';

// Requests of Unleash's admin UI 7.6.5 in a browser: with the ids of changed things in the payloads, empty comments, and a
// list for several changes.
test('A change request accepts the requests of the admin UI', async ({ service, world }) => {
  const { project, projectId, place, name: feature, author, reviewer, ask } = await createReviewTeam(world);
  const path = `${place}/strategies`;
  const { body: strategy } = await service.post(path, { name: 'flexibleRollout' });
  const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
  const segment = await world.segment({ name: 'staff', project: projectId, constraints });
  const { body: me } = await service.get('/api/admin/user', { token: reviewer });

  const parameters = { rollout: '100', stickiness: 'default', groupId: 'checkout' };
  const empty = { constraints: [], variants: [], segments: [] };
  const edited = { name: 'flexibleRollout', title: 'A tenth', parameters, ...empty, disabled: false, id: strategy.id };
  const asked = [
    { action: 'updateStrategy', feature, payload: edited },
    [{ action: 'updateEnabled', feature, payload: { enabled: false } }],
    {
      action: 'updateSegment',
      feature: null,
      payload: { id: segment.id, name: 'staff', description: 'Our own people', project: projectId, constraints },
    },
  ];
  let id = 0;
  for (const body of asked) {
    const added = await ask(author, body);
    expect(added.status).toBe(200);
    id = added.body.id;
  }
  const put = async (token: string, what: string, body: object) =>
    (await service.put(`${project}/change-requests/${id}/${what}`, body, { token })).status;
  expect([
    await put(author, 'state', { state: 'In review', comment: '' }),
    await put(author, 'approvers', { reviewers: [me.user.id] }),
    await put(reviewer, 'state', { state: 'Approved' }),
    await put(reviewer, 'state', { state: 'Scheduled', scheduledAt: inAMonth() }),
    await put(reviewer, 'state', { state: 'Applied' }),
  ]).toEqual([200, 200, 200, 200, 200]);
  expect((await service.get(`${path}/${strategy.id}`)).body).toMatchObject({ title: 'A tenth', parameters });
  expect((await service.get(`/api/admin/segments/${segment.id}`)).body).toMatchObject({
    description: 'Our own people',
  });
  const { body: request } = await service.get(`${project}/change-requests/${id}/approvers`, { token: author });
  const { body: applied } = await service.get(`${project}/change-requests/${id}`, { token: author });
  // The page matches reviewers with approvals by this name.
  expect(request.reviewers).toMatchObject([{ username: applied.approvals[0].createdBy.username }]);
});
