import type { EnvironmentInput } from '../environments/environment-schema.ts';
import { environments, newEnvironment, sortOrderAfter } from '../environments/environments.ts';
import type { Actor } from '../events/actor.ts';
import type { Request } from '../request.ts';
import { completeEnvironmentDeletion } from './delete-environment.ts';
import { notInRemoval } from './removal.ts';

/**
 * Creates an environment, which is in no project yet. By default it is enabled and the last in order.
 * @throws ApiError 409 for a name in use; 400 for one environment too many.
 */
export async function createEnvironment(request: Request, actor: Actor, input: EnvironmentInput) {
  await completeEnvironmentDeletion(request, actor, input.name);
  return environments.create(
    request,
    actor,
    (_at, _id, others) => newEnvironment({ ...input, sortOrder: input.sortOrder ?? sortOrderAfter(others) }),
    [notInRemoval('environment', input.name)],
  );
}
