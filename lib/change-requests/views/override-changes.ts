import type { Author } from '../../events/actor.ts';
import { type EventsItem, eventsOf } from '../../events/event-items.ts';
import type { Event, EventType } from '../../events/event-schema.ts';
import { isEventVisible, redactEvent } from '../../events/event-visibility.ts';
import type { ReleasePlanView } from '../../features/plans/plan-schema.ts';
import * as flagKeys from '../../identity/access-flags/keys.ts';
import type { Request } from '../../request.ts';
import { queryPages, readItems } from '../../store/read.ts';
import type { ChangeRequest } from '../change-request.ts';
import { changesMax } from '../change-request-schema.ts';
import type { ShownChange } from './views.ts';

/**
 * Reads the first changes under an override that are visible to the caller, in the form of requested changes. All changes
 * of a transaction are listed, also if it took several overrides, since its events name only one of them.
 */
export async function listChangesUnder(request: Request, { id, createdBy }: ChangeRequest): Promise<ShownChange[]> {
  const keys: { pk: string; sk: string }[] = [];
  for await (const page of queryPages<{ readonly events: string }>(request, flagKeys.overrideChanges(id))) {
    const eventKeys = page.flatMap(({ events }): [string, string][] => JSON.parse(events));
    keys.push(...eventKeys.map(([pk, sk]) => ({ pk, sk })));
    if (keys.length > changesMax) break;
  }
  const items = await readItems<EventsItem>(request, keys.slice(0, changesMax));
  const changes = items
    .flatMap((item) => (item === undefined ? [] : eventsOf(item)))
    .filter((event) => !event.type.startsWith('change-request-') && isEventVisible(request, event));
  if (Math.max(keys.length, changes.length) > changesMax)
    request.warnings.add(
      `Only the first changes under the override ${id} are listed; the events with its groupId have all changes.`,
    );
  return changes.slice(0, changesMax).map((event) => toChange(redactEvent(request, event), createdBy));
}

type Content = Pick<ShownChange, 'payload' | 'base' | 'plan'> & { readonly action?: string };

/** Builds a change of a safeguard. The safeguard of a plan names it in its action. */
function toSafeguardChange(
  verb: 'change' | 'delete',
  safeguard: Event['data'],
  payload: object,
  base: unknown,
): Content {
  const { id: planId } = (safeguard?.action ?? {}) as { readonly id?: string };
  if (planId === undefined) return { action: `${verb}FeatureEnvSafeguard`, payload, base };
  return { action: `${verb}ReleasePlanSafeguard`, payload: { planId, ...payload }, base };
}

/** The requested changes that correspond to events, by type; for other events, the type serves as the action. */
const changeOfEvent: Partial<Record<EventType, (event: Event) => Content>> = {
  'feature-environment-enabled': () => ({ action: 'updateEnabled', payload: { enabled: true } }),
  'feature-environment-disabled': () => ({ action: 'updateEnabled', payload: { enabled: false } }),
  'feature-strategy-add': ({ data }) => ({ action: 'addStrategy', payload: data }),
  'feature-strategy-update': ({ data, preData }) => ({ action: 'updateStrategy', payload: data, base: preData }),
  'feature-strategy-remove': ({ preData }) => ({ action: 'deleteStrategy', payload: preData, base: preData }),
  'feature-environment-variants-updated': ({ data, preData }) => ({
    ...{ action: 'patchVariant', payload: data, base: preData?.variants },
  }),
  'release-plan-added': ({ data }) => ({
    ...{ action: 'addReleasePlan', payload: { templateId: data?.releasePlanTemplateId, template: data } },
  }),
  'release-plan-removed': ({ preData }) => ({
    ...{ action: 'deleteReleasePlan', payload: { planId: preData?.id } },
    plan: preData as unknown as ReleasePlanView,
  }),
  'release-plan-milestone-started': ({ data }) => ({
    action: 'startMilestone',
    payload: { ...data, planId: data?.id },
  }),
  'milestone-progression-changed': ({ data }) => ({ action: 'changeMilestoneProgression', payload: data }),
  'milestone-progression-deleted': ({ preData }) => ({ action: 'deleteMilestoneProgression', payload: preData }),
  'release-plan-progressions-resumed': ({ data }) => ({
    ...{ action: 'resumeMilestoneProgression', payload: { ...data, planId: data?.id } },
  }),
  'safeguard-changed': ({ data, preData }) => toSafeguardChange('change', data, { safeguard: data }, preData),
  'safeguard-deleted': ({ preData }) => toSafeguardChange('delete', preData, { safeguardId: preData?.id }, preData),
  'feature-archived': () => ({ action: 'archiveFeature' }),
  'feature-dependency-added': ({ data }) => ({ action: 'addDependency', payload: data }),
  'feature-dependency-removed': ({ data }) => ({ action: 'deleteDependency', payload: data }),
  'feature-dependencies-removed': () => ({ action: 'deleteDependency' }),
  'segment-updated': ({ data, preData }) => ({ action: 'updateSegment', payload: data, base: preData }),
  'segment-deleted': ({ preData }) => ({ action: 'deleteSegment', payload: preData, base: preData }),
};

function toChange(event: Event, holder: Author): ShownChange {
  const { id, type, featureName: feature, createdAt, createdBy: name, createdByUserId, data } = event;
  const { action = type, payload, base } = changeOfEvent[type]?.(event) ?? { payload: data };
  return {
    ...{
      id,
      feature,
      action,
      createdAt,
      createdBy: createdByUserId === holder.id ? holder : { id: createdByUserId ?? 0, name },
    },
    ...(payload != null && { payload }),
    ...(base != null && { base }),
  };
}
