import type { NewEvent } from '../../events/event.ts';
import type { EventType } from '../../events/event-schema.ts';
import { sha256 } from '../../values/sha256.ts';
import { isActivating, type RequestedChange } from '../change-request.ts';
import { findDrift } from '../plan/differences.ts';

/** Returns the reason why an event invalidates a scheduled change; undefined if it does not. */
type Rule = (change: RequestedChange, event: NewEvent) => string | undefined;

/** The types of events that never invalidate a scheduled change. */
type HarmlessEvent =
  // A new feature or segment: no scheduled change can refer to it.
  | `${'feature' | 'segment'}-created`
  | 'segment-import'
  // A revert makes changes with events of their own.
  | 'feature-reverted'
  // Properties of a feature that are the same in every environment, or do not affect evaluation.
  | `feature-${'updated' | 'revived' | 'tagged' | 'untagged' | 'completed' | 'uncompleted' | 'favorited' | 'unfavorited'}`
  | `feature-${'link-added' | 'link-updated' | 'link-removed' | 'metadata-updated' | 'potentially-stale-on'}`
  | `feature-${'stale-on' | 'stale-off' | 'tag-import' | 'type-updated' | 'variants-updated'}`
  | `features-${'exported' | 'imported'}`
  // For a change of a plan or a safeguard, `plan-reasons.ts` compares the plan instead of the event.
  | `${'milestone-progression' | 'release-plan-template'}-${'created' | 'updated' | 'deleted'}`
  | `milestone-progression-changed`
  | `release-plan-${'added' | 'removed' | 'milestone-started' | 'progressions-paused' | 'progressions-resumed'}`
  | `release-plan-template-${'archived' | 'revived'}`
  | `safeguard-${'changed' | 'deleted' | 'triggered'}`
  // Types and fields in use cannot be removed, and a default strategy does not affect features with a strategy.
  | `${'strategy' | 'context-field'}-${'created' | 'updated' | 'deleted'}`
  | `strategy-${'deprecated' | 'reactivated' | 'import'}`
  | 'default-strategy-updated'
  // The deletion of a project or an environment handles its schedules itself.
  | `${'project' | 'environment'}-${'created' | 'updated' | 'deleted' | 'import'}`
  | `project-${'archived' | 'revived' | 'favorited' | 'unfavorited'}`
  | `project-environment-${'added' | 'removed'}`
  // People, their rights, and change requests themselves.
  | `${'role' | 'user' | 'group' | 'service-account' | 'api-token'}-${'created' | 'updated' | 'deleted'}`
  | `project-access-${'added' | 'updated'}`
  | `project-access-${'group' | 'user'}-roles-${'updated' | 'deleted'}`
  | `project-${'group' | 'user'}-${'added' | 'removed' | 'role-changed'}`
  | `group-user-${'added' | 'removed'}`
  | `pat-${'created' | 'deleted'}`
  | `public-signup-token-${'created' | 'updated' | 'user-added'}`
  | `user-access-request-${'registered' | 'approved' | 'rejected'}`
  | 'user-preference-updated'
  | `scim-${'groups-deleted' | 'users-deleted'}`
  | `change-${'added' | 'edited' | 'discarded'}`
  | `change-request-${'created' | 'discarded' | 'sent-to-review' | 'approval-added' | 'approved' | 'rejected'}`
  | `change-request-${'cancelled' | 'applied' | 'scheduled' | 'schedule-suspended' | 'configuration-updated'}`
  | 'change-request-requested-approvers-updated'
  | `change-request-scheduled-application-${'success' | 'failure'}`
  | `change-request-override-${'started' | 'ended' | 'reviewed'}`
  // The rest of the service.
  | `${'tag-type' | 'addon-config' | 'setting' | 'banner' | 'signal-endpoint' | 'signal-endpoint-token' | 'actions' | 'impact-metric'}-${'created' | 'updated' | 'deleted'}`
  | `tag-${'created' | 'deleted' | 'import'}`
  | 'tag-type-import'
  | `drop-${'environments' | 'features' | 'feature-tags' | 'projects' | 'strategies' | 'tags' | 'tag-types'}`
  | `client-${'metrics' | 'register'}`
  | 'application-created'
  | 'history-checkpoint-created'
  | 'cdn-token-created'
  | 'db-pool-update'
  | 'remote-mcp-server-settings-updated';

/** The rules for events that can suspend a schedule. A new type of event needs a rule or a place above, or it does not compile. */
const rules: Record<Exclude<EventType, HarmlessEvent>, Rule> = {
  // A migration can have changed anything.
  'feature-import': (change, event) =>
    isOf(change, event) ? 'The feature was updated from another server.' : undefined,
  'feature-archived': (change, event) => reasonOfAbsence(change, event, 'archived'),
  'feature-deleted': (change, event) => reasonOfAbsence(change, event, 'deleted'),
  'feature-project-change': (change, event) => reasonOfAbsence(change, event, 'moved to another project'),
  'feature-environment-enabled': (change, event) => reasonOfSwitch(change, event, true),
  'feature-environment-disabled': (change, event) => reasonOfSwitch(change, event, false),
  'feature-environment-variants-updated': (change, event) =>
    isOf(change, event) && change.action === 'patchVariant'
      ? reasonOfDrift(change, event.data?.variants, 'variants were updated')
      : undefined,
  'feature-strategy-add': reasonOfAddedStrategy,
  'feature-strategy-update': reasonOfUpdatedStrategy,
  'feature-strategy-remove': reasonOfRemovedStrategy,
  'strategy-order-changed': (change, event) => reasonOfOrder(change, event),
  'feature-dependency-added': reasonOfDependencies,
  'feature-dependency-removed': reasonOfDependencies,
  'feature-dependencies-removed': reasonOfDependencies,
  'segment-updated': reasonOfUpdatedSegment,
  'segment-deleted': reasonOfDeletedSegment,
};

/** Returns the reason why an event invalidates a scheduled change; undefined if it does not. */
export function findReasonAgainst(change: RequestedChange, event: NewEvent): string | undefined {
  const ruleOf: Partial<Record<EventType, Rule>> = rules;
  return ruleOf[event.type]?.(change, event);
}

const isOf = ({ feature }: RequestedChange, { featureName }: NewEvent) => feature === featureName;

function reasonOfAbsence(change: RequestedChange, event: NewEvent, cause: string): string | undefined {
  const isAffected = isOf(change, event) || isOfNewParent(change, event);
  return isAffected ? `The feature "${event.featureName}" was ${cause}.` : undefined;
}

/** Tells whether an event is about the feature that a change makes a parent. */
function isOfNewParent({ action, payload }: RequestedChange, { featureName }: NewEvent): boolean {
  return action === 'addDependency' && (payload as { readonly feature?: string }).feature === featureName;
}

function reasonOfSwitch(change: RequestedChange, event: NewEvent, enabled: boolean): string | undefined {
  if (!isOf(change, event) || change.action !== 'updateEnabled') return undefined;
  return reasonOfDrift(change, { enabled }, 'feature was switched on or off');
}

function reasonOfAddedStrategy(change: RequestedChange, event: NewEvent): string | undefined {
  if (!isOf(change, event)) return undefined;
  if (change.adds !== undefined && event.data?.disabled !== true)
    return 'The feature now has an enabled strategy, so the approved default strategy would not be added.';
  return (
    reasonOfEnabling(change, event) ??
    reasonOfOrder(change, event, 'A strategy was added that is not in the approved order.')
  );
}

function reasonOfUpdatedStrategy(change: RequestedChange, event: NewEvent): string | undefined {
  if (!isOf(change, event)) return undefined;
  const enabling = reasonOfEnabling(change, event);
  if (enabling !== undefined) return enabling;
  if (isStrategyOf(change, event)) return reasonOfDrift(change, event.data, 'strategy was updated');
  return event.data?.sortOrder === event.preData?.sortOrder ? undefined : reasonOfOrder(change, event);
}

function reasonOfRemovedStrategy(change: RequestedChange, event: NewEvent): string | undefined {
  if (!isOf(change, event)) return undefined;
  const deleted = isStrategyOf(change, event) ? `The strategy "${event.preData?.id}" was deleted.` : undefined;
  return (
    reasonOfEnabling(change, event) ??
    deleted ??
    reasonOfOrder(change, event, 'A strategy of the approved order was deleted.')
  );
}

/** Tells whether an event is about the strategy of a change. */
function isStrategyOf({ payload }: RequestedChange, { data, preData }: NewEvent): boolean {
  const { id } = (payload ?? {}) as { readonly id?: string };
  return id !== undefined && (data ?? preData)?.id === id;
}

/** The content of disabled strategies was approved with a change that enables them; only their order may change. */
function reasonOfEnabling(change: RequestedChange, { data, preData }: NewEvent): string | undefined {
  const isDisabled = [data, preData].some((strategy) => strategy?.disabled === true);
  const isChanged = isDisabled && findDrift({ base: preData ?? null }, data).length > 0;
  return isActivating(change) && isChanged
    ? 'A disabled strategy that this change would enable was changed.'
    : undefined;
}

function reasonOfOrder(
  change: RequestedChange,
  event: NewEvent,
  reason = 'The strategies were put in another order.',
): string | undefined {
  return isOf(change, event) && change.action === 'reorderStrategy' ? reason : undefined;
}

/** Dependencies of a new parent count, too: a parent cannot depend on another feature. */
function reasonOfDependencies(change: RequestedChange, event: NewEvent): string | undefined {
  const { action } = change;
  const isOwnChange = isOf(change, event) && (action === 'addDependency' || action === 'deleteDependency');
  return isOwnChange || isOfNewParent(change, event) ? 'The dependencies were changed.' : undefined;
}

function reasonOfDrift(change: RequestedChange, now: unknown, condition: string): string | undefined {
  return findDrift(change, now).length > 0 ? `The ${condition}.` : undefined;
}

/** A segment as events show it. */
interface SegmentData {
  readonly id?: number;
  readonly name?: string;
  readonly constraints?: unknown;
}

function reasonOfUpdatedSegment(change: RequestedChange, { data }: NewEvent): string | undefined {
  const { id, name, constraints }: SegmentData = data ?? {};
  const approved = change.uses?.[String(id)];
  const hasOtherConstraints = approved !== undefined && approved !== sha256(JSON.stringify(constraints));
  const hasDrifted = isAboutSegment(change, id) && findDrift(change, data).length > 0;
  return hasOtherConstraints || hasDrifted ? `The segment "${name}" was updated.` : undefined;
}

function reasonOfDeletedSegment(change: RequestedChange, { preData }: NewEvent): string | undefined {
  const { id, name }: SegmentData = preData ?? {};
  const isUsed = change.uses?.[String(id)] !== undefined;
  return isUsed || isAboutSegment(change, id) ? `The segment "${name}" was deleted.` : undefined;
}

function isAboutSegment({ feature, payload }: RequestedChange, id: number | undefined): boolean {
  return feature === null && (payload as { readonly id?: unknown }).id === id;
}
