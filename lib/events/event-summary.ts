import type { Event } from '../schemas/event.ts';

type Summarized = Pick<Event, 'type' | 'createdBy' | 'project' | 'environment' | 'featureName' | 'data' | 'preData'>;

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

/** What an event is called, e.g. "Feature created". */
export function labelOf(type: Event['type']): string {
  const words = type.replaceAll('-', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** An event in a sentence, as Markdown without links: who did what to which feature, or which event it was of what. */
export function summaryOf(event: Summarized): string {
  const { type, createdBy, project, environment, featureName, data, preData } = event;
  const deed = deeds[type];
  const where = [
    ...(environment === null ? [] : [` in ${strong(environment)}`]),
    ...(project === null ? [] : [` of the project ${strong(project)}`]),
  ];
  if (deed === undefined || featureName === null) {
    const { name = featureName } = { ...preData, ...data };
    return `${strong(createdBy)}: ${labelOf(type)}${typeof name === 'string' ? ` ${strong(name)}` : ''}${where.join('')}`;
  }
  return `${strong(createdBy)} ${deed} ${strong(featureName)}${where.join('')}`;
}

/** Names are anything that people type, Markdown among it. */
function strong(text: string): string {
  return `**${text.replaceAll(/[\\`*_{}[\]()<>#+!|~-]/g, '\\$&')}**`;
}
