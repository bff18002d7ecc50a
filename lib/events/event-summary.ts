import type { Event } from '../schemas/event.ts';

type Summarized = Pick<Event, 'type' | 'createdBy' | 'project' | 'environment' | 'featureName'>;

/** What was done to a feature, by the type of the event. */
const deeds: Partial<Record<Event['type'], string>> = {
  'feature-created': 'created',
  'feature-deleted': 'deleted',
  'feature-archived': 'archived',
  'feature-revived': 'revived',
  'feature-completed': 'completed',
  'feature-uncompleted': 'took up again',
  'feature-metadata-updated': 'changed',
  'feature-stale-on': 'marked as stale',
  'feature-stale-off': 'unmarked as stale',
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
};

/** An event in a sentence, as Markdown without links: who did what to which feature, or which event it was. */
export function summaryOf({ type, createdBy, project, environment, featureName }: Summarized): string {
  const deed = deeds[type];
  const where = [
    ...(environment === null ? [] : [` in ${strong(environment)}`]),
    ...(project === null ? [] : [` of the project ${strong(project)}`]),
  ];
  if (deed === undefined || featureName === null) return `${strong(createdBy)}: ${strong(type)}`;
  return `${strong(createdBy)} ${deed} ${strong(featureName)}${where.join('')}`;
}

/** Names are anything that people type, Markdown among it. */
function strong(text: string): string {
  return `**${text.replaceAll(/[\\`*_{}[\]()<>#+!|~-]/g, '\\$&')}**`;
}
