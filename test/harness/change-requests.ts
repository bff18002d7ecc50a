import { systemUser } from '../../lib/events/actor.ts';
import { configureChangeRequests } from '../../lib/projects/change-request-config.ts';
import type { World } from './world.ts';

const environment = 'development';

/** A project in which changes need one approval, and a role there that can approve and apply them. */
export interface ProtectedProject {
  readonly projectId: string;
  readonly environment: string;
  readonly role: number;
}

/** Creates a project in which changes need approval. All calls share one project, since only its people differ. */
export function createProtectedProject(world: World): Promise<ProtectedProject> {
  return world.shared('project in which changes need approval', async () => {
    const projectId = await world.project({ environments: [environment] });
    await configureChangeRequests(
      world.service.table,
      systemUser,
      { projectId, environment },
      { changeRequestsEnabled: true },
    );
    const permissions = ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'].map((name) => ({ name, environment }));
    return { projectId, environment, role: await world.role({ permissions }) };
  });
}

/** Creates a feature in such a project, and the token of a member who requests changes. */
export async function createScene(world: World) {
  const place = await createProtectedProject(world);
  const { name: featureName } = await world.feature({ project: place.projectId, environment });
  const author = await world.tokenOfRole(3, [{ project: place.projectId, roles: [5] }]);
  return { ...place, featureName, author };
}

/** Builds a change that switches a feature on. */
export const buildSwitchOn = (feature: string | undefined) => ({
  ...{ feature, action: 'updateEnabled' },
  payload: { enabled: true },
});

/** Returns calls about the change requests of a project. */
export function changeRequestCalls(world: World, { projectId, environment }: Omit<ProtectedProject, 'role'>) {
  const project = `/api/admin/projects/${projectId}`;
  const call = (token: string, method: string, path: string, body?: unknown, headers: object = {}) =>
    world.service.call(method, `${project}/${path}`, { body, headers: { ...headers, authorization: token } });
  return {
    project,
    ask: (token: string, changes: unknown) =>
      call(token, 'POST', `environments/${environment}/change-requests`, changes),
    bring: (token: string, id: number, to: string | object, headers?: object) =>
      call(token, 'PUT', `change-requests/${id}/state`, typeof to === 'string' ? { state: to } : to, headers),
    get: async (id: number, token: string) => (await call(token, 'GET', `change-requests/${id}`)).body,
    configure: (config: object) =>
      world.ask('PUT', `${project}/environments/${environment}/change-requests/config`, {
        ...{ changeRequestsEnabled: true, ...config },
      }),
    /** Reads the types of the events of a request, the newest first. */
    eventsOf: async (id: number): Promise<string[]> => {
      const path = `/api/admin/search/events?groupId=IS:change-request-${id}&limit=1000`;
      return (await world.ask('GET', path)).body.events.map(({ type }: { type: string }) => type);
    },
  };
}

/** Creates the people of a project in which changes need approval, and a feature, and returns their calls. */
export async function createReviewTeam(world: World, existing?: ProtectedProject) {
  const scene = existing ?? (await createProtectedProject(world));
  const { projectId, environment, role } = scene;
  const [author, reviewer, other] = (await Promise.all(
    [5, role, role].map((projectRole) => world.tokenOfRole(3, [{ project: projectId, roles: [projectRole] }])),
  )) as [string, string, string];
  const { name } = await world.feature({ project: projectId, environment });
  const calls = changeRequestCalls(world, scene);
  const { ask, bring, project } = calls;
  return {
    ...{ ...scene, ...calls, author, reviewer, other, name, on: buildSwitchOn(name) },
    /** The path of the feature in the environment. */
    place: `${project}/features/${name}/environments/${environment}`,
    /** Requests changes, has them approved, and returns the id of the request. */
    async approved(changes: unknown): Promise<number> {
      const { id } = requireSuccess(await ask(author, changes)).body;
      await bring(author, id, 'In review');
      await bring(reviewer, id, 'Approved');
      return id;
    },
    apply: (id: number, token = reviewer) => bring(token, id, 'Applied'),
    schedule: (id: number, token = reviewer, time = inAnHour()) =>
      bring(token, id, { state: 'Scheduled', scheduledAt: time.toISOString() }),
  };
}

export const inAnHour = () => new Date(Date.now() + 3_600_000);

/**
 * Creates a change request in a state.
 * @param buildChanges returns its changes; by default, they give a feature a strategy and switch it on.
 */
export async function createChangeRequest(
  world: World,
  state: 'Draft' | 'In review' | 'Approved' | 'Scheduled' = 'Draft',
  buildChanges?: (scene: ProtectedProject) => Promise<readonly object[]>,
) {
  const scene = await createScene(world);
  const { featureName: feature, author, role } = scene;
  const reviewer = await world.tokenOfRole(3, [{ project: scene.projectId, roles: [role] }]);
  const defaultChanges = [{ feature, action: 'addStrategy', payload: { name: 'default' } }, buildSwitchOn(feature)];
  const { project, ask, bring, get, eventsOf } = changeRequestCalls(world, scene);
  const { body: created } = requireSuccess(await ask(author, (await buildChanges?.(scene)) ?? defaultChanges));
  const id: number = created.id;
  const calls = {
    add: (changes: unknown) => ask(author, changes),
    bring: (token: string, to: string | object, headers?: object) => bring(token, id, to, headers),
    schedule: (scheduledAt = inAMonth(), token = reviewer) => bring(token, id, { state: 'Scheduled', scheduledAt }),
    apply: (headers?: object) => bring(reviewer, id, 'Applied', headers),
    read: () => get(id, author),
    eventsOf: async (type: string) => (await eventsOf(id)).filter((eventType) => eventType === type),
  };
  if (state !== 'Draft') requireSuccess(await calls.bring(author, 'In review'));
  if (state === 'Approved' || state === 'Scheduled') requireSuccess(await calls.bring(reviewer, 'Approved'));
  if (state === 'Scheduled') requireSuccess(await calls.schedule());
  const changeIds: number[] = created.features[0].changes.map(({ id: changeId }: { id: number }) => changeId);
  return {
    ...{ ...scene, ...calls, project, id, changes: changeIds, reviewer },
    path: `${project}/change-requests/${id}`,
    /** The path of the feature in the environment. */
    place: `${project}/features/${feature}/environments/${environment}`,
  };
}

function requireSuccess<T extends { readonly status: number; readonly text: string }>(answer: T): T {
  if (answer.status >= 300) throw new Error(`The request was refused: ${answer.text}`);
  return answer;
}

/** The number of features of a request that takes several transactions. */
export const featuresOfLarge = 40;

/** Creates a change request for a segment and many features, in a state. */
export function createLargeRequest(world: World, state: 'Approved' | 'Scheduled') {
  return createChangeRequest(world, state, async ({ projectId, environment }) => {
    const names = await world.featureNames(featuresOfLarge, { project: projectId, environment });
    const segment = await world.segment({ project: projectId });
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }];
    const payload = { ...segment, project: projectId, constraints };
    return [{ action: 'updateSegment', payload }, ...names.map(buildSwitchOn)];
  });
}

/** Returns a time that is possible for a schedule. */
export const inAMonth = () => new Date(Date.now() + 30 * 24 * 3_600_000).toISOString();

/** Creates a feature in a project in which changes need approval, a member who can approve there, and another approver. */
export async function createOverrideScene(world: World) {
  const scene = await createScene(world);
  const [holder, reviewer] = await Promise.all(
    [[5, scene.role], [scene.role]].map((roles) => world.tokenOfRole(3, [{ project: scene.projectId, roles }])),
  );
  return { ...scene, holder: holder as string, reviewer: reviewer as string };
}

/** Creates an override that is active, or ends it, too. */
export async function createOverride(world: World, state: 'under way' | 'ended' = 'under way') {
  const scene = await createOverrideScene(world);
  const { projectId, holder, reviewer } = scene;
  const path = `/api/admin/projects/${projectId}/environments/${environment}/change-requests/override`;
  const input = { reason: 'Orders fail', minutes: 30 };
  const { body: created } = await world.ask('POST', path, input, { authorization: holder });
  if (state === 'ended') await world.ask('DELETE', `${path}/${created.id}`, undefined, { authorization: reviewer });
  return { ...scene, id: created.id as number };
}
