import type { Event } from '../../events/event-schema.ts';
import type { Addon } from '../addon-schema.ts';

/** The part of an event that filters look at. */
export type EventOutline = Pick<Event, 'project' | 'environment'> & { readonly type: string };

/**
 * Tells whether an integration sends an event, by the rules of Unleash: a filter accepts events without a project or an
 * environment, and accepts all events if it is empty or begins with `*`.
 */
export function wants(
  { events, projects, environments }: Pick<Addon, 'events' | 'projects' | 'environments'>,
  { type, project, environment }: EventOutline,
): boolean {
  return events.includes(type) && passes(projects, project) && passes(environments, environment);
}

function passes(filter: readonly string[], value: string | null): boolean {
  return value === null || filter.length === 0 || filter[0] === '*' || filter.includes(value);
}
