import type { Event } from '../../events/event-schema.ts';
import type { Addon } from '../addons.ts';

/** The part of an event that decides who hears of it. */
export type EventOutline = Pick<Event, 'project' | 'environment'> & { readonly type: string };

/**
 * Tells whether an integration is about events such as this one, by the rules of Unleash: a filter lets everything through
 * that it cannot be about, and where it is empty or begins with `*`.
 */
export function wants(
  { events, projects, environments }: Pick<Addon, 'events' | 'projects' | 'environments'>,
  { type, project, environment }: EventOutline,
): boolean {
  return events.includes(type) && passes(projects, project) && passes(environments, environment);
}

function passes(wanted: readonly string[], value: string | null): boolean {
  return value === null || wanted.length === 0 || wanted[0] === '*' || wanted.includes(value);
}
