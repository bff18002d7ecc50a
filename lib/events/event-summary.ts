import type { Event } from './event-schema.ts';

type SummarizedEvent = Pick<
  Event,
  'type' | 'createdBy' | 'project' | 'environment' | 'featureName' | 'data' | 'preData'
>;

/** Verbs for events of features, by the type of the event. */
const featureVerbs: Partial<Record<Event['type'], string>> = {
  'feature-created': 'created',
  'feature-deleted': 'deleted',
  'feature-archived': 'archived',
  'feature-revived': 'revived',
  'feature-completed': 'completed',
  'feature-reverted': 'reverted',
  'feature-uncompleted': 'reopened',
  'feature-metadata-updated': 'changed',
  'feature-stale-on': 'set the stale mark of',
  'feature-stale-off': 'removed the stale mark of',
  'feature-environment-enabled': 'switched on',
  'feature-environment-disabled': 'switched off',
  'feature-strategy-add': 'added a strategy to',
  'feature-strategy-update': 'changed a strategy of',
  'feature-strategy-remove': 'removed a strategy from',
  'feature-tagged': 'tagged',
  'feature-untagged': 'removed a tag from',
  'feature-project-change': 'moved',
  'feature-variants-updated': 'changed the variants of',
  'feature-environment-variants-updated': 'changed the variants of',
  'release-plan-added': 'added a release plan to',
  'release-plan-removed': 'removed the release plan from',
  'release-plan-milestone-started': 'started a milestone of',
  'release-plan-progressions-paused': 'paused the release plan of',
  'release-plan-progressions-resumed': 'resumed the release plan of',
  'milestone-progression-changed': 'changed the time of a milestone of',
  'milestone-progression-deleted': 'removed the time of a milestone of',
  'safeguard-changed': 'changed a safeguard of',
  'safeguard-deleted': 'deleted a safeguard of',
};

/** Verbs for events of change requests, by the type of the event. */
const changeRequestVerbs: Partial<Record<Event['type'], string>> = {
  'change-request-created': 'created',
  'change-request-discarded': 'discarded',
  'change-request-sent-to-review': 'asked for a review of',
  'change-request-requested-approvers-updated': 'chose the reviewers of',
  'change-request-approval-added': 'added an approval to',
  'change-request-approved': 'approved',
  'change-request-rejected': 'rejected',
  'change-request-cancelled': 'cancelled',
  'change-request-scheduled': 'scheduled',
  'change-request-schedule-suspended': 'suspended the schedule of',
  'change-request-scheduled-application-success': 'carried out the schedule of',
  'change-request-scheduled-application-failure': 'could not carry out the schedule of',
  'change-request-applied': 'applied',
  'change-request-override-started': 'started the override of',
  'change-request-override-ended': 'ended the override of',
  'change-request-override-reviewed': 'reviewed the override of',
  'change-added': 'added a change to',
  'change-edited': 'edited a change of',
  'change-discarded': 'discarded a change of',
};

/** Names of event types in the admin UI, if they cannot be derived from the type. */
const labels: Partial<Record<Event['type'], string>> = {
  'feature-completed': 'Flag marked as completed',
  'feature-environment-enabled': 'Flag enabled',
  'feature-environment-disabled': 'Flag disabled',
  'feature-environment-variants-updated': 'Flag variants updated',
  'feature-potentially-stale-on': 'Flag potentially stale',
  'feature-project-change': 'Flag moved to a new project',
  'feature-stale-on': 'Flag marked as stale',
  'feature-stale-off': 'Flag stale marking removed',
  'feature-strategy-add': 'Flag strategy added',
  'feature-strategy-remove': 'Flag strategy removed',
  'feature-strategy-update': 'Flag strategy updated',
};

/** Returns the name of an event type, such as "Flag created": the admin UI calls features flags. */
export function labelEventType(type: Event['type']): string {
  const words = type
    .replace(/^feature-/, 'flag-')
    .replace(/^addon-config-/, 'integration-configuration-')
    .replace(/^api-/, 'API-')
    .replaceAll('-', ' ');
  return labels[type] ?? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** A part of a sentence: plain words, or a name with the kind of the named thing. */
export type SentencePart = string | Name;

/** The kind of a named thing. */
export type KindOfName = 'person' | 'feature' | 'project' | 'environment' | 'change request' | 'thing';

interface Name {
  readonly name: string;
  readonly kind: KindOfName;
}

/**
 * Describes an event as a sentence: author, verb, and the feature or change request. If its type has no verb: author, event type
 * and name.
 */
export function describeEvent(event: SummarizedEvent): SentencePart[] {
  const { type, createdBy, project, environment, featureName, data, preData } = event;
  const featureVerb = featureVerbs[type];
  const changeRequestVerb = changeRequestVerbs[type];
  const person: Name = { name: createdBy, kind: 'person' };
  const where: SentencePart[] = [
    ...(environment === null ? [] : [' in ', { name: environment, kind: 'environment' } as const]),
    ...(project === null ? [] : [' of the project ', { name: project, kind: 'project' } as const]),
  ];
  const id = data?.changeRequestId;
  if (changeRequestVerb !== undefined && id !== undefined) {
    const name = `change request #${id}`;
    return [person, ` ${changeRequestVerb} `, { name, kind: 'change request' }, ...where];
  }
  if (featureVerb === undefined || featureName === null) {
    const { name = featureName } = { ...preData, ...data };
    const kind = name === featureName ? 'feature' : 'thing';
    return [
      person,
      `: ${labelEventType(type)}`,
      ...(typeof name === 'string' ? [' ', { name, kind } as const] : []),
      ...where,
    ];
  }
  const { milestoneName } = { ...preData, ...data };
  const verb: SentencePart[] =
    typeof milestoneName === 'string'
      ? [` ${featureVerb.replace(/a milestone of$/, 'the milestone')} `, { name: milestoneName, kind: 'thing' }, ' of ']
      : [` ${featureVerb} `];
  return [person, ...verb, { name: featureName, kind: 'feature' }, ...where];
}

/** Describes an event as a sentence, in Markdown without links. */
export function summarizeEvent(event: SummarizedEvent): string {
  return describeEvent(event)
    .map((part) => (typeof part === 'string' ? part : `**${escapeMarkdown(part.name)}**`))
    .join('');
}

/** Escapes the characters that would format a name or make a link of it. */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()<>#+!|~-]/g, '\\$&');
}
