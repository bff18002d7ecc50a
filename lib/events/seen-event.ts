import { isHidden, type Request, seesAllProjects } from '../request.ts';
import type { Event } from './event-schema.ts';

/**
 * Returns an event as the caller may see it: without the project that a feature has come from, and without what a thing was
 * while it belonged to a project, where they must not see that project.
 */
export function seenEvent(request: Request, event: Event): Event {
  if (seesAllProjects(request)) return event;
  return { ...event, data: seenContent(request, event.data), preData: seenContent(request, event.preData) };
}

function seenContent(request: Request, content: Event['data']): Event['data'] {
  const { project, oldProject, ...others } = (content ?? {}) as { readonly [name: string]: unknown };
  const isOfHidden = (id: unknown) => typeof id === 'string' && isHidden(request, id);
  if (isOfHidden(project)) return null;
  return isOfHidden(oldProject) ? others : content;
}
