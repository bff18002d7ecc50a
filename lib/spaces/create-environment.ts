import { type Environment, environments, lastPlace, newEnvironment } from '../environments/environments.ts';
import type { Actor } from '../events/actor.ts';
import type { Request } from '../request.ts';
import type { EnvironmentInput } from '../schemas/environment.ts';
import type { Versioned } from '../table/versioned.ts';
import { completeEnvironmentDeletion } from './delete-environment.ts';
import { notInRemoval } from './removal.ts';

/**
 * Creates an environment, which is in no project yet. Where it does not say so, it is enabled and the last of all.
 * @throws ApiError 409 for a name in use; 400 for one environment too many.
 */
export async function createEnvironment(
  request: Request,
  actor: Actor,
  input: EnvironmentInput,
): Promise<Versioned<Environment>> {
  await completeEnvironmentDeletion(request, actor, input.name);
  return environments.create(
    request,
    actor,
    (_at, _id, others) => newEnvironment({ ...input, sortOrder: input.sortOrder ?? lastPlace(others) }),
    [notInRemoval('environment', input.name)],
  );
}
