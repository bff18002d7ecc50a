import { notFound } from '../../errors.ts';
import { permitted } from '../../people/rights/caller.ts';
import { isHidden } from '../../request.ts';
import { type Declaration, permissionsOf } from '../declaration.ts';
import type { Middleware } from './state.ts';

/**
 * Answers 404 to a caller who must not know of the project that the path names, with the message for one that does not
 * exist. It runs after all other checks of a request, as that for an unknown project does, so that none of them tells
 * the two apart.
 */
export function hiddenProject(declaration: Declaration): Middleware {
  return {
    before: function hiddenProjectBefore({ event, context: { request, caller } }) {
      const { projectId } = event.pathParameters ?? {};
      if (!isHidden(request, projectId)) return;
      // The handler would say so before it looks for the project.
      if (declaration.permissionBy !== undefined && caller !== undefined) {
        permitted(caller, permissionsOf(declaration), projectId);
      }
      throw notFound('project', String(projectId));
    },
  };
}
