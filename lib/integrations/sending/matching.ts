import type { Event } from '../../events/event-schema.ts';
import type { Addon } from '../addons.ts';

/** The part of an event that decides who hears of it. */
export type Outline = Pick<Event, 'type' | 'project' | 'environment'>;

/**
 * Tells whether an integration sends events such as this one, by the rules of Unleash: a filter lets everything through
 * that it cannot be about, and where it is empty or begins with `*`.
 */
export function wants(
  { enabled, events, projects, environments }: Pick<Addon, 'enabled' | 'events' | 'projects' | 'environments'>,
  { type, project, environment }: Outline,
): boolean {
  return enabled && events.includes(type) && passes(projects, project) && passes(environments, environment);
}

function passes(wanted: readonly string[], value: string | null): boolean {
  return value === null || wanted.length === 0 || wanted[0] === '*' || wanted.includes(value);
}
