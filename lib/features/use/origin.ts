import { canSeeAll, filterVisibleProjects, type Request, seesAllProjects } from '../../request.ts';

/** The prefix of a project for which something was reported, among the attributes of its item. */
const prefix = 'in:';

/** The attributes that add the projects for which something was reported: a token's, or `*`, or the one of a feature. */
export function originOf(projects: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(projects.map((project) => [`${prefix}${project}`, 1]));
}

/**
 * Tells whether the caller may know what was reported: for a project that they see, or for all projects and for none that they
 * must not see.
 */
export function isReportSeen(request: Request, item: object): boolean {
  if (seesAllProjects(request)) return true;
  const seen = filterVisibleProjects(request, originIn(item));
  return seen.some((project) => project !== '*') || (seen.length > 0 && seen.length === originIn(item).length);
}

/**
 * Tells whether the caller may know all that is counted in one item: it is known for which projects, and they see each of
 * them.
 */
export function isWholeReportSeen(request: Request, item: object): boolean {
  if (seesAllProjects(request)) return true;
  const origin = originIn(item);
  return origin.length > 0 && canSeeAll(request, origin);
}

function originIn(item: object): string[] {
  return Object.keys(item).flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : []));
}
