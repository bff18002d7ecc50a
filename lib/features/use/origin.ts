import { canSeeAll, filterVisibleProjects, type Request, seesAllProjects } from '../../request.ts';

/** The prefix of attributes that name a project of a report. */
const prefix = 'in:';

/** Returns the attributes for the projects of a report: those of a token, `*` for all, or the project of a feature. */
export function originOf(projects: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(projects.map((project) => [`${prefix}${project}`, 1]));
}

/**
 * Tells whether a report is visible to the caller: it names a project that the caller sees, or only `*`.
 */
export function isReportVisible(request: Request, item: object): boolean {
  if (seesAllProjects(request)) return true;
  const projects = projectsOf(item);
  const visible = filterVisibleProjects(request, projects);
  return visible.some((project) => project !== '*') || (visible.length > 0 && visible.length === projects.length);
}

/** Tells whether all counts of an item are visible to the caller: it names projects, and the caller sees all of them. */
export function isWholeReportVisible(request: Request, item: object): boolean {
  if (seesAllProjects(request)) return true;
  const projects = projectsOf(item);
  return projects.length > 0 && canSeeAll(request, projects);
}

function projectsOf(item: object): string[] {
  return Object.keys(item).flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : []));
}
