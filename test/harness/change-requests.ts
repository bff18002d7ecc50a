import { systemUser } from '../../lib/events/actor.ts';
import { configureChangeRequests } from '../../lib/projects/change-request-config.ts';
import type { World } from './world.ts';

const environment = 'development';

/** A project in which changes need one approval, and a role there that approves and applies them. */
export interface ProtectedProject {
  readonly projectId: string;
  readonly environment: string;
  readonly role: number;
}

/** A project in which changes need approval; the same for each call, since only its people matter. */
export function protectedProject(world: World): Promise<ProtectedProject> {
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

/** A feature of the project, and the token of a member who asks for changes. */
export async function askedPlace(world: World) {
  const place = await protectedProject(world);
  const { name: featureName } = await world.feature({ project: place.projectId, environment });
  const author = await world.tokenOfRole(3, [{ project: place.projectId, roles: [5] }]);
  return { ...place, featureName, author };
}

/** A change that switches a feature on. */
export const askingOn = (feature: string | undefined) => ({
  ...{ feature, action: 'updateEnabled' },
  payload: { enabled: true },
});

/** Calls about the change requests of a project. */
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
    /** The types of its events, the newest first. */
    eventsOf: async (id: number): Promise<string[]> => {
      const path = `/api/admin/search/events?groupId=IS:change-request-${id}&limit=1000`;
      return (await world.ask('GET', path)).body.events.map(({ type }: { type: string }) => type);
    },
  };
}

/** People of a project in which changes need approval, a feature there, and what they do to change it. */
export async function reviewTeam(world: World, given?: ProtectedProject) {
  const at = given ?? (await protectedProject(world));
  const { projectId, environment, role } = at;
  const [author, reviewer, other] = (await Promise.all(
    [5, role, role].map((each) => world.tokenOfRole(3, [{ project: projectId, roles: [each] }])),
  )) as [string, string, string];
  const { name } = await world.feature({ project: projectId, environment });
  const calls = changeRequestCalls(world, at);
  const { ask, bring, project } = calls;
  return {
    ...{ ...at, ...calls, author, reviewer, other, name, on: askingOn(name) },
    /** The path of the feature in the environment. */
    place: `${project}/features/${name}/environments/${environment}`,
    /** Asks for changes and has them approved; returns the id of the request. */
    async approved(changes: unknown): Promise<number> {
      const { id } = succeeded(await ask(author, changes)).body;
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

/** A change request that switches a feature on and gives it a strategy, or asks for something else, in a state. */
export async function madeRequest(
  world: World,
  state: 'Draft' | 'In review' | 'Approved' | 'Scheduled' = 'Draft',
  others?: (place: ProtectedProject) => Promise<readonly object[]>,
) {
  const place = await askedPlace(world);
  const { featureName: feature, author, role } = place;
  const reviewer = await world.tokenOfRole(3, [{ project: place.projectId, roles: [role] }]);
  const own = [{ feature, action: 'addStrategy', payload: { name: 'default' } }, askingOn(feature)];
  const { project, ask, bring, get, eventsOf } = changeRequestCalls(world, place);
  const { body: made } = succeeded(await ask(author, (await others?.(place)) ?? own));
  const id: number = made.id;
  const calls = {
    add: (changes: unknown) => ask(author, changes),
    bring: (token: string, to: string | object, headers?: object) => bring(token, id, to, headers),
    schedule: (scheduledAt = inAMonth(), token = reviewer) => bring(token, id, { state: 'Scheduled', scheduledAt }),
    apply: (headers?: object) => bring(reviewer, id, 'Applied', headers),
    read: () => get(id, author),
    eventsOf: async (type: string) => (await eventsOf(id)).filter((each) => each === type),
  };
  if (state !== 'Draft') succeeded(await calls.bring(author, 'In review'));
  if (state === 'Approved' || state === 'Scheduled') succeeded(await calls.bring(reviewer, 'Approved'));
  if (state === 'Scheduled') succeeded(await calls.schedule());
  /** The ids of its changes. */
  const changes: number[] = made.features[0].changes.map((each: { id: number }) => each.id);
  return {
    ...{ ...place, ...calls, project, id, changes, reviewer },
    path: `${project}/change-requests/${id}`,
    /** The path of the feature in the environment. */
    place: `${project}/features/${feature}/environments/${environment}`,
  };
}

function succeeded<T extends { readonly status: number; readonly text: string }>(answer: T): T {
  if (answer.status >= 300) throw new Error(`It was asked for in vain: ${answer.text}`);
  return answer;
}

/** The number of features of a request that takes several transactions. */
export const featuresOfLarge = 40;

/** A change request for a segment and many features, in a state. */
export function largeRequest(world: World, state: 'Approved' | 'Scheduled') {
  return madeRequest(world, state, async ({ projectId, environment }) => {
    const names = await world.featureNames(featuresOfLarge, { project: projectId, environment });
    const segment = await world.segment({ project: projectId });
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }];
    const payload = { ...segment, project: projectId, constraints };
    return [{ action: 'updateSegment', payload }, ...names.map(askingOn)];
  });
}

/** A moment to which a schedule may be. */
export const inAMonth = () => new Date(Date.now() + 30 * 24 * 3_600_000).toISOString();

/** A project in which changes need approval, and a member who may approve there, and somebody else who may. */
export async function overridePlace(world: World) {
  const place = await askedPlace(world);
  const [holder, reviewer] = await Promise.all(
    [[5, place.role], [place.role]].map((roles) => world.tokenOfRole(3, [{ project: place.projectId, roles }])),
  );
  return { ...place, holder: holder as string, reviewer: reviewer as string };
}

/** An override that is under way, or was ended. */
export async function madeOverride(world: World, state: 'under way' | 'ended' = 'under way') {
  const place = await overridePlace(world);
  const { projectId, holder, reviewer } = place;
  const path = `/api/admin/projects/${projectId}/environments/${environment}/change-requests/override`;
  const asked = { reason: 'Orders fail', minutes: 30 };
  const { body: made } = await world.ask('POST', path, asked, { authorization: holder });
  if (state === 'ended') await world.ask('DELETE', `${path}/${made.id}`, undefined, { authorization: reviewer });
  return { ...place, id: made.id as number };
}
