import { change } from '../entity/change.ts';
import { noEffects } from '../entity/effects.ts';
import type { Actor } from '../events/actor.ts';
import { type ProjectEnvironmentPath, projectEnvironmentOf, projects } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { isPending } from './change-request.ts';
import { changeRequests, decideCancellation, decideSuspension, listAllOpen } from './change-requests.ts';
import * as changeRequestKeys from './keys.ts';

/**
 * Suspends the schedules in an environment that was removed from a project. Other pending requests can continue when the
 * project has the environment again; if the environment was deleted, they are cancelled. Nobody can schedule a request
 * there meanwhile, since scheduling depends on the project's environments.
 */
export async function closeWithoutEnvironment(
  request: Request,
  actor: Actor,
  { projectId, environment }: ProjectEnvironmentPath,
  removal: 'taken from the project' | 'deleted' = 'taken from the project',
): Promise<void> {
  const reason = `The environment "${environment}" was ${removal}.`;
  const open = await listAllOpen(request, projectId);
  for (const { id } of open.filter((changeRequest) => changeRequest.environment === environment)) {
    await change(request, actor, {
      items: [changeRequestKeys.changeRequest(id)],
      read: () => Promise.all([changeRequests.find(request, id), projects.find(request, projectId)]),
      revisionOf: ([before]) => before,
      decide: ([before, project], at) => {
        const isBack = project !== undefined && projectEnvironmentOf(project.value, environment) !== undefined;
        if (before === undefined || isBack) return { ...noEffects, result: undefined };
        const { state, schedule } = before.value;
        if (state === 'Scheduled' && schedule?.status === 'pending')
          return { ...decideSuspension(before, reason), result: undefined };
        return removal === 'deleted' && isPending(before.value)
          ? decideCancellation(before, at, reason)
          : { ...noEffects, result: undefined };
      },
    });
  }
}
