import { ApiError, invalid, notFound } from '../errors.ts';
import type { Caller } from '../identity/caller.ts';
import { overrideDelayOf } from '../projects/approval.ts';
import * as projectKeys from '../projects/keys.ts';
import { type Approval, type Project, projectEnvironmentOf, projects } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { type RightsCondition, rightsConditionOf } from '../store/transactions/authority.ts';
import type { Action } from './change-input-schema.ts';
import { approvalsOf, type ChangeRequest, isSamePerson, peopleBehind, type RequestedChange } from './change-request.ts';

/** The rules for the changes in an environment of a project; where they need no approval, 0 of them are required. */
export interface Rules extends Pick<Approval, 'required' | 'onDrift' | 'selfApproval'> {
  /** Minutes until an override holds; null where nobody may override. */
  readonly overrideDelay: number | null;
  readonly project: Project;
}

/** Rules, and the condition that they still are the same. */
export interface GuardedRules extends Rules {
  readonly standing: RightsCondition;
}

/**
 * Reads the rules of an environment of a project.
 * @throws ApiError 404 for an unknown project.
 */
export async function loadRules(request: Request, projectId: string, environment: string): Promise<GuardedRules> {
  const project = await projects.load(request, projectId);
  return {
    ...rulesIn(project.value, environment),
    standing: rightsConditionOf(projectKeys.project(projectId), project),
  };
}

/** Returns the rules of an environment of a project. */
export function rulesIn(project: Project, environment: string): Rules {
  const { approval } = projectEnvironmentOf(project, environment) ?? {};
  const overrideDelay = overrideDelayOf(approval);
  return { required: 0, onDrift: 'refuse', selfApproval: 'never', ...approval, overrideDelay, project };
}

/** @throws ApiError 404 where the project does not have the environment, and 400 where changes there need no approval. */
export function assertNeedsApproval({ project, required }: Rules, environment: string): void {
  if (projectEnvironmentOf(project, environment) === undefined)
    throw notFound(`environment in the project "${project.id}" named`, environment);
  if (required === 0)
    throw invalid(`Changes in "${environment}" of the project "${project.id}" need no approval; make them directly.`);
}

/** Actions that reach a feature in all environments, or all that use a segment. */
const wideActions: ReadonlySet<Action> = new Set([
  ...(['archiveFeature', 'addDependency', 'deleteDependency', 'updateSegment', 'deleteSegment'] as const),
]);

/** A request by what it asks for. */
interface Asking extends Pick<ChangeRequest, 'environment'> {
  readonly changes: readonly Pick<RequestedChange, 'action'>[];
}

/** A request by those who have a part in it. */
type Parties = Pick<ChangeRequest, 'createdBy' | 'contributors' | 'approvals' | 'contentHash'>;

/** Returns the environments whose approval a request needs: its own, and all that its changes reach besides. */
export function environmentsOf({ environment, changes }: Asking, { project }: Pick<Rules, 'project'>): string[] {
  if (!changes.some(({ action }) => wideActions.has(action))) return [environment];
  const others = project.environments.filter(({ name, approval }) => approval !== undefined && name !== environment);
  return [environment, ...others.map(({ name }) => name)];
}

/** Returns the number of approvals that a request needs: the most that an environment asks for which it reaches. */
export function countRequiredApprovals(request: Asking & Pick<ChangeRequest, 'minApprovals'>, rules: Rules): number {
  const reached = environmentsOf(request, rules)
    .slice(1)
    .map((name) => projectEnvironmentOf(rules.project, name)?.approval?.required ?? 0);
  return Math.max(request.minApprovals, rules.required, ...reached);
}

/** Tells whether fewer than needed have approved what a request asks for now. */
export function lacksApproval(
  request: Asking & Pick<ChangeRequest, 'minApprovals' | 'approvals' | 'contentHash'>,
  rules: Rules,
): boolean {
  return approvalsOf(request).length < countRequiredApprovals(request, rules);
}

/** @throws ApiError 403 for a caller who lacks the permission in one of the environments that a request reaches. */
export function assertMayThere(
  caller: Caller,
  permission: 'APPROVE_CHANGE_REQUEST' | 'APPLY_CHANGE_REQUEST',
  request: Asking & Pick<ChangeRequest, 'project'>,
  rules: Pick<Rules, 'project'>,
): void {
  for (const environment of environmentsOf(request, rules)) {
    if (caller.may(permission, request.project, environment)) continue;
    const message = `You need the permission "${permission}" in the environment "${environment}" to do this.`;
    throw new ApiError('NoAccessError', message);
  }
}

/** @throws ApiError 403 for a caller who is no member of a project that only its members take part in. */
export function assertMember(caller: Caller, { project }: Pick<Rules, 'project'>): void {
  if (project.mode === 'open' || caller.belongsTo(project.id) || caller.may('ADMIN')) return;
  throw new ApiError('NoAccessError', `Only members of the project "${project.id}" may ask for changes.`);
}

/** Tells whether a caller could approve a request now that they have no part in. */
export function mayApprove(caller: Caller, request: Asking & Parties, rules: Rules): boolean {
  return isApprover(caller, request, rules) && !hasApproved(caller, request);
}

/** Tells whether the approval of a caller counts, if they give it or have given it. */
export function isApprover(caller: Caller, request: Asking & Parties, rules: Rules): boolean {
  return (
    environmentsOf(request, rules).every((each) => caller.may('APPROVE_CHANGE_REQUEST', rules.project.id, each)) &&
    partialityOf(caller, request, rules) === undefined
  );
}

/** Tells whether a caller has approved a request as it is now, be it by another token. */
export function hasApproved(caller: Caller, request: Parties): boolean {
  return approvalsOf(request).some((each) => isSamePerson(caller, { ...each, ...each.createdBy }));
}

/**
 * Holds reviews to people who have no part in what they review: neither as its author nor by one of its changes, nor by a
 * token that they have made; and as themselves rather than by a token that anybody may hold.
 * @throws ApiError 403.
 */
export function assertImpartial(caller: Caller, request: Parties, rules: Rules): void {
  const partiality = partialityOf(caller, request, rules);
  if (partiality !== undefined) throw new ApiError('NoAccessError', partiality);
}

function partialityOf(caller: Caller, { createdBy, contributors }: Parties, { selfApproval }: Rules) {
  if (selfApproval === 'admin' && caller.may('ADMIN')) return undefined;
  if (caller.id <= 0) return 'A token of no person cannot approve a change request.';
  const isPart = peopleBehind(caller).some((id) => id === createdBy.id || contributors.includes(id));
  return isPart ? 'You have asked for some of these changes, so somebody else has to approve them.' : undefined;
}
