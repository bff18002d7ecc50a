import type { ConsoleStart } from '../../screens/start-schema.ts';
import { mayIn } from '../reader/start.ts';

/** Returns the page that lists the templates of a project, or with null those for all projects. */
export function listAddress(project: string | null): string {
  return project === null ? '/release-templates' : `/projects/${encodeURIComponent(project)}/settings#templates`;
}

/** Returns the reason why the reader may not do something with a template of a project, or with null one for all; undefined if they may. */
export function reasonAgainstTemplate(
  start: ConsoleStart | undefined,
  act: 'CREATE' | 'UPDATE' | 'DELETE',
  project: string | null,
): string | undefined {
  const isAllowed =
    start === undefined ||
    mayIn(start, `RELEASE_PLAN_TEMPLATE_${act}`) ||
    (project !== null && mayIn(start, 'UPDATE_PROJECT', project));
  return isAllowed ? undefined : 'Needs the permission to change release templates.';
}
