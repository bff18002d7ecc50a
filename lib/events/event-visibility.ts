import { isHidden, type Request, seesAllProjects } from '../request.ts';
import type { Event } from './event-schema.ts';

/** Tells whether the caller may see an event. */
export function isEventVisible(
  request: Request,
  { project, type }: { readonly project: string | null; readonly type: string },
): boolean {
  if (seesAllProjects(request)) return true;
  return project === null ? !mayNameProjects.test(type) : !isHidden(request, project);
}

/** The types of events that belong to no project but may name one, such as the project of an API token. */
const mayNameProjects = /^(user|group|service-account|api-token|addon-config|application|tag(?!-type))-/;

/**
 * Removes hidden projects from an event: the former project of a moved feature, and the state of a thing from the time when it
 * belonged to a hidden project.
 */
export function redactEvent(request: Request, event: Event): Event {
  if (seesAllProjects(request)) return event;
  return { ...event, data: redactContent(request, event.data), preData: redactContent(request, event.preData) };
}

function redactContent(request: Request, content: Event['data']): Event['data'] {
  const { project, oldProject, ...others } = (content ?? {}) as { readonly [name: string]: unknown };
  const isHiddenProject = (id: unknown) => typeof id === 'string' && isHidden(request, id);
  if (isHiddenProject(project)) return null;
  return isHiddenProject(oldProject) ? others : content;
}
