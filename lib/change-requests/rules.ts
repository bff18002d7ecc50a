import { ApiError, invalid } from '../errors.ts';
import type { Caller } from '../identity/caller.ts';
import type { Permission } from '../identity/permissions.ts';
import { overrideDelayOf } from '../projects/approval.ts';
import * as projectKeys from '../projects/keys.ts';
import {
  type Approval,
  type Project,
  projectEnvironmentOf,
  projects,
  requireEnvironment,
} from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { rightsConditionOf } from '../store/transactions/authority.ts';
import type { RightsCondition } from '../store/transactions/write.ts';
import type { Action } from './change-input-schema.ts';
import { approvalsOf, type ChangeRequest, isSamePerson, personIdsOf, type RequestedChange } from './change-request.ts';

/** The rules for changes in an environment of a project. `required` is 0 if they need no approval. */
export interface Rules extends Pick<Approval, 'required' | 'onDrift' | 'selfApproval'> {
  /** The minutes from the request of an override to its begin; null if overrides are not allowed. */
  readonly overrideDelay: number | null;
  readonly project: Project;
}

/** Rules, and the condition of a write that they have not changed. */
export interface ConditionalRules extends Rules {
  readonly rightsCondition: RightsCondition;
}

/**
 * Reads the rules of an environment of a project.
 * @throws ApiError 404 for an unknown project.
 */
export async function loadRules(request: Request, projectId: string, environment: string): Promise<ConditionalRules> {
  const project = await projects.load(request, projectId);
  return {
    ...rulesOf(project.value, environment),
    rightsCondition: rightsConditionOf(projectKeys.project(projectId), project),
  };
}

/** Returns the rules of an environment of a project. */
export function rulesOf(project: Project, environment: string): Rules {
  const { approval } = projectEnvironmentOf(project, environment) ?? {};
  const overrideDelay = overrideDelayOf(approval);
  return { required: 0, onDrift: 'refuse', selfApproval: 'never', ...approval, overrideDelay, project };
}

/** @throws ApiError 404 if the project lacks the environment; 400 if changes there need no approval. */
export function assertNeedsApproval({ project, required }: Rules, environment: string): void {
  requireEnvironment(project, environment);
  if (required === 0)
    throw invalid(`Changes in "${environment}" of the project "${project.id}" need no approval; make them directly.`);
}

/** The actions that affect a feature in all environments, or all users of a segment. */
const wideActions: ReadonlySet<Action> = new Set([
  ...(['archiveFeature', 'addDependency', 'deleteDependency', 'updateSegment', 'deleteSegment'] as const),
]);

/** The parts of a request that decide which environments it affects. */
interface RequestScope extends Pick<ChangeRequest, 'environment'> {
  readonly changes: readonly Pick<RequestedChange, 'action'>[];
}

/** The parts of a request that name its participants. */
type Participants = Pick<ChangeRequest, 'createdBy' | 'contributors' | 'approvals' | 'contentHash'>;

/** The parts of a request that determine who decides on it. */
type DecidedRequest = RequestScope & Pick<ChangeRequest, 'createdBy'>;

/** The permissions for making a change directly, of which one is enough. */
export const directPermissions: Readonly<Record<Action, readonly Permission[]>> = {
  updateEnabled: ['UPDATE_FEATURE_ENVIRONMENT'],
  addStrategy: ['CREATE_FEATURE_STRATEGY'],
  updateStrategy: ['UPDATE_FEATURE_STRATEGY'],
  deleteStrategy: ['DELETE_FEATURE_STRATEGY'],
  reorderStrategy: ['UPDATE_FEATURE_STRATEGY'],
  patchVariant: ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS'],
  archiveFeature: ['DELETE_FEATURE'],
  addDependency: ['UPDATE_FEATURE_DEPENDENCY'],
  deleteDependency: ['UPDATE_FEATURE_DEPENDENCY'],
  addReleasePlan: ['CREATE_FEATURE_STRATEGY'],
  deleteReleasePlan: ['DELETE_FEATURE_STRATEGY'],
  startMilestone: ['UPDATE_FEATURE_STRATEGY'],
  updateMilestoneStrategy: ['UPDATE_FEATURE_STRATEGY'],
  changeMilestoneProgression: ['UPDATE_FEATURE_STRATEGY'],
  deleteMilestoneProgression: ['UPDATE_FEATURE_STRATEGY'],
  resumeMilestoneProgression: ['UPDATE_FEATURE_STRATEGY'],
  changeReleasePlanSafeguard: ['UPDATE_FEATURE_STRATEGY'],
  deleteReleasePlanSafeguard: ['UPDATE_FEATURE_STRATEGY'],
  changeFeatureEnvSafeguard: ['UPDATE_FEATURE_ENVIRONMENT'],
  deleteFeatureEnvSafeguard: ['UPDATE_FEATURE_ENVIRONMENT'],
  updateSegment: ['UPDATE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
  deleteSegment: ['DELETE_SEGMENT', 'UPDATE_PROJECT_SEGMENT'],
};

/** Tells whether an environment leaves the decision on a proposal of an agent to everybody who could make its changes directly. */
function isLeftToEditors(
  environment: string,
  { createdBy }: DecidedRequest,
  { project }: Pick<Rules, 'project'>,
): boolean {
  return createdBy.agent !== undefined && projectEnvironmentOf(project, environment)?.approval === undefined;
}

/** A permission to decide on requests. */
type DecidingPermission = 'APPROVE_CHANGE_REQUEST' | 'APPLY_CHANGE_REQUEST';

/**
 * Tells whether somebody may decide on a request in an environment: by the permission to decide or, where changes need no approval, by
 * those for making the changes of an agent's proposal directly.
 */
function mayDecideIn(
  environment: string,
  { may }: Pick<Caller, 'may'>,
  permission: DecidingPermission,
  request: DecidedRequest,
  rules: Pick<Rules, 'project'>,
): boolean {
  if (!isLeftToEditors(environment, request, rules)) return may(permission, rules.project.id, environment);
  return request.changes.every(({ action }) =>
    directPermissions[action].some((direct) => may(direct, rules.project.id, environment)),
  );
}

/** Tells whether somebody may decide on a request in all environments that it affects. */
export function mayDecide(
  caller: Pick<Caller, 'may'>,
  permission: DecidingPermission,
  request: DecidedRequest,
  rules: Pick<Rules, 'project'>,
): boolean {
  return environmentsOf(request, rules).every((name) => mayDecideIn(name, caller, permission, request, rules));
}

/** Returns the environments that a request affects: its own, and for some actions all other protected ones. */
export function environmentsOf({ environment, changes }: RequestScope, { project }: Pick<Rules, 'project'>): string[] {
  if (!changes.some(({ action }) => wideActions.has(action))) return [environment];
  const others = project.environments.filter(({ name, approval }) => approval !== undefined && name !== environment);
  return [environment, ...others.map(({ name }) => name)];
}

/** Returns the number of approvals that a request needs: the highest number that any affected environment requires. */
export function countRequiredApprovals(
  request: RequestScope & Pick<ChangeRequest, 'minApprovals'>,
  rules: Rules,
): number {
  const requiredElsewhere = environmentsOf(request, rules)
    .slice(1)
    .map((name) => projectEnvironmentOf(rules.project, name)?.approval?.required ?? 0);
  return Math.max(request.minApprovals, rules.required, ...requiredElsewhere);
}

/** Tells whether the present content of a request has too few approvals. */
export function lacksApproval(
  request: RequestScope & Pick<ChangeRequest, 'minApprovals' | 'approvals' | 'contentHash'>,
  rules: Rules,
): boolean {
  return approvalsOf(request).length < countRequiredApprovals(request, rules);
}

/** @throws ApiError 403 for a caller who lacks the permission in one of the environments that a request affects. */
export function assertMayInEnvironments(
  caller: Caller,
  permission: DecidingPermission,
  request: DecidedRequest,
  rules: Pick<Rules, 'project'>,
): void {
  for (const environment of environmentsOf(request, rules))
    assertMayDecideIn(environment, caller, permission, request, rules);
}

/** @throws ApiError 403 for a caller who may not decide on a request in an environment. */
export function assertMayDecideIn(
  environment: string,
  caller: Caller,
  permission: DecidingPermission,
  request: DecidedRequest,
  rules: Pick<Rules, 'project'>,
): void {
  if (mayDecideIn(environment, caller, permission, request, rules)) return;
  const need = isLeftToEditors(environment, request, rules)
    ? 'the permissions for all of these changes'
    : `the permission "${permission}"`;
  throw new ApiError('NoAccessError', `You need ${need} in the environment "${environment}" to do this.`);
}

/** @throws ApiError 403 for a caller who is not a member of a protected or private project. */
export function assertMember(caller: Caller, { project }: Pick<Rules, 'project'>): void {
  if (project.mode === 'open' || caller.belongsTo(project.id) || caller.may('ADMIN')) return;
  throw new ApiError('NoAccessError', `Only members of the project "${project.id}" can request changes.`);
}

/** Tells whether a caller can approve a request now. */
export function mayApprove(caller: Caller, request: RequestScope & Participants, rules: Rules): boolean {
  return isApprover(caller, request, rules) && !hasApproved(caller, request);
}

/** The parts of a caller that decide whether they can review a request. */
type Reviewer = Pick<Caller, 'id' | 'agent' | 'tokenMadeBy' | 'may'>;

/** Tells whether the approval of a caller is valid, whether already given or not. */
export function isApprover(caller: Reviewer, request: RequestScope & Participants, rules: Rules): boolean {
  return (
    mayDecide(caller, 'APPROVE_CHANGE_REQUEST', request, rules) && findInvolvement(caller, request, rules) === undefined
  );
}

/** Tells whether a caller has approved the present content of a request, also with another token. */
export function hasApproved(caller: Caller, request: Participants): boolean {
  return approvalsOf(request).some((approval) => isSamePerson(caller, { ...approval, ...approval.createdBy }));
}

/**
 * Checks that a reviewer is a person who is not involved in the request: not its author, not a contributor, and not the
 * creator of a token that contributed. A token without a user cannot review, since anybody can hold it. Where changes need no approval,
 * the owner of an agent can review what it proposes: they could make the changes directly.
 * @throws ApiError 403.
 */
export function assertImpartial(caller: Caller, request: RequestScope & Participants, rules: Rules): void {
  const involvement = findInvolvement(caller, request, rules);
  if (involvement !== undefined) throw new ApiError('NoAccessError', involvement);
}

/** Returns the reason why a caller cannot review a request; undefined if they can. */
function findInvolvement(caller: Reviewer, request: RequestScope & Participants, rules: Rules) {
  const { createdBy, contributors } = request;
  const { selfApproval } = rules;
  if (caller.agent !== undefined) return 'An agent cannot approve a change request.';
  if (selfApproval === 'admin' && caller.may('ADMIN')) return undefined;
  if (caller.id <= 0) return 'A token without a user cannot approve a change request.';
  if (environmentsOf(request, rules).every((name) => isLeftToEditors(name, request, rules))) return undefined;
  const isInvolved = personIdsOf(caller).some((id) => id === createdBy.id || contributors.includes(id));
  return isInvolved ? 'You have requested some of these changes, so another person has to approve them.' : undefined;
}
