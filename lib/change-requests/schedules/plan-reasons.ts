import type { ChangeUnit } from '../../entity/effects.ts';
import type { NewEvent } from '../../events/event.ts';
import type { EventType } from '../../events/event-schema.ts';
import type { FeatureEnvironment } from '../../features/environments/feature-environment.ts';
import type { ChangeRequest, RequestedChange } from '../change-request.ts';
import { inputOf } from '../plan/base.ts';
import { findDrift } from '../plan/differences.ts';
import { findPlanPart, isPlanChange } from '../plan/plan-parts.ts';

/** The events that can change a plan or a safeguard, and the reasons that they give. Of several events, the first one here counts. */
const reasons: Partial<Record<EventType, (event: NewEvent) => string>> = {
  'safeguard-triggered': () => 'A safeguard acted.',
  'release-plan-added': () => 'Another release plan was added.',
  'release-plan-removed': () => 'The release plan was removed.',
  'release-plan-milestone-started': ({ data }) => `The milestone "${data?.milestoneName}" was started.`,
  'release-plan-progressions-paused': () => 'The release plan was paused.',
  'release-plan-progressions-resumed': () => 'The release plan was resumed.',
  'milestone-progression-changed': () => 'The time of a milestone was changed.',
  'milestone-progression-deleted': () => 'The time of a milestone was removed.',
  'safeguard-changed': () => 'A safeguard was changed.',
  'safeguard-deleted': () => 'A safeguard was deleted.',
  'feature-strategy-update': () => 'A strategy of the release plan was updated.',
};

/**
 * Returns the reason why a change of a feature invalidates a schedule that changes its release plan or its safeguards, or that would
 * give it the default strategy. The plan after the change decides, and not the event: a milestone that starts by itself suspends only
 * what it contradicts.
 */
export function findPlanReason(
  { changes, environment }: ChangeRequest,
  { events, flag }: ChangeUnit,
): string | undefined {
  const inEnvironment = events.filter((event) => event.environment === environment);
  const [event] = Object.keys(reasons).flatMap((type) => inEnvironment.find((each) => each.type === type) ?? []);
  const state = flag?.after?.environments.get(environment) as FeatureEnvironment | undefined;
  if (event === undefined || state === undefined) return undefined;
  const ofFeature = changes.filter(({ feature }) => feature === flag?.after?.name);
  if (state.plan !== undefined && ofFeature.some(({ adds }) => adds !== undefined))
    return 'The feature now has a release plan, so the approved default strategy would not be added.';
  return ofFeature.some((change) => isContradicted(change, state)) ? reasons[event.type]?.(event) : undefined;
}

function isContradicted(change: RequestedChange, state: FeatureEnvironment): boolean {
  const input = inputOf(change);
  if (!isPlanChange(input)) return false;
  const now = findPlanPart(input, state, change.base);
  return now === undefined || findDrift(change, now).length > 0;
}
