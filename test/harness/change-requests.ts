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

/** A change request, with its people by their tokens. */
export interface MadeChangeRequest extends ProtectedProject {
  readonly id: number;
  readonly featureName: string;
  /** The ids of its changes. */
  readonly changes: readonly number[];
  readonly author: string;
  readonly reviewer: string;
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

const switchedOn = (feature: string) => ({ feature, action: 'updateEnabled', payload: { enabled: true } });

/** A change request that switches a feature on and gives it a strategy, or asks for something else, in a state. */
export async function madeRequest(
  world: World,
  state: 'Draft' | 'In review' | 'Approved' | 'Scheduled' = 'Draft',
  others?: (place: ProtectedProject) => Promise<readonly object[]>,
): Promise<MadeChangeRequest> {
  const place = await askedPlace(world);
  const { projectId, featureName: feature, author, role } = place;
  const reviewer = await world.tokenOfRole(3, [{ project: projectId, roles: [role] }]);
  const own = [{ feature, action: 'addStrategy', payload: { name: 'default' } }, switchedOn(feature)];
  const body = (await others?.(place)) ?? own;
  const as = (token: string, method: string, path: string, sent: unknown) =>
    world.ask(method, `/api/admin/projects/${projectId}/${path}`, sent, { authorization: token });
  const { body: made } = await as(author, 'POST', `environments/${environment}/change-requests`, body);
  const bring = (token: string, sent: object) => as(token, 'PUT', `change-requests/${made.id}/state`, sent);
  if (state !== 'Draft') await bring(author, { state: 'In review' });
  if (state === 'Approved' || state === 'Scheduled') await bring(reviewer, { state: 'Approved' });
  if (state === 'Scheduled') await bring(reviewer, { state, scheduledAt: inAMonth() });
  const changes = made.features[0].changes.map(({ id }: { id: number }) => id);
  return { ...place, id: made.id, changes, reviewer };
}

/** The number of features of a request that takes several transactions. */
export const featuresOfLarge = 40;

/** A change request for a segment and many features, in a state. */
export function largeRequest(world: World, state: 'Approved' | 'Scheduled'): Promise<MadeChangeRequest> {
  return madeRequest(world, state, async ({ projectId, environment }) => {
    const names = await world.featureNames(featuresOfLarge, { project: projectId, environment });
    const segment = await world.segment({ project: projectId });
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }];
    const payload = { ...segment, project: projectId, constraints };
    return [{ action: 'updateSegment', payload }, ...names.map(switchedOn)];
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
