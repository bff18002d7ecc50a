import { change } from '../entity/change.ts';
import { noEffects } from '../entity/effects.ts';
import type { Actor } from '../events/actor.ts';
import { type ProjectEnvironmentPlace, projectEnvironmentOf, projects } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import { isPending } from './change-request.ts';
import { allOpen, changeRequests, decideCancellation, decideSuspension } from './change-requests.ts';
import * as changeRequestKeys from './keys.ts';

/**
 * Suspends the schedules in an environment that a project does not have any more. Other requests go on when it is back, unless
 * the environment is deleted: then they are cancelled. Nothing is scheduled there meanwhile, since that rests on the project.
 */
export async function leaveWithoutEnvironment(
  request: Request,
  actor: Actor,
  { projectId, environment }: ProjectEnvironmentPlace,
  how: 'taken from the project' | 'deleted' = 'taken from the project',
): Promise<void> {
  const reason = `The environment "${environment}" was ${how}.`;
  const open = await allOpen(request, projectId);
  for (const { id } of open.filter((one) => one.environment === environment)) {
    await change(request, actor, {
      of: [changeRequestKeys.changeRequest(id)],
      read: () => Promise.all([changeRequests.find(request, id), projects.find(request, projectId)]),
      revisionOf: ([before]) => before,
      decide: ([before, project], at) => {
        const isBack = project !== undefined && projectEnvironmentOf(project.value, environment) !== undefined;
        if (before === undefined || isBack) return { ...noEffects, result: undefined };
        const { state, schedule } = before.value;
        if (state === 'Scheduled' && schedule?.status === 'pending')
          return { ...decideSuspension(before, reason), result: undefined };
        return how === 'deleted' && isPending(before.value)
          ? decideCancellation(before, at, reason)
          : { ...noEffects, result: undefined };
      },
    });
  }
}
