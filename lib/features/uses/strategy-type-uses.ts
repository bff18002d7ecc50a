import type { Actor } from '../../events/actor.ts';
import { type Request, withAllProjects } from '../../request.ts';
import { requireCustomStrategyType, strategyTypes } from '../../strategy-types/strategy-types.ts';
import { loadReferrers } from './uses.ts';

/**
 * Removes a strategy type that no live feature and no default strategy uses.
 * @throws ApiError 404 for an unknown one; 403 for one that comes with the service; 409 that names who uses it.
 */
export async function removeStrategyType(request: Request, actor: Actor, name: string): Promise<void> {
  requireCustomStrategyType(name);
  const readAll = () => loadReferrers(withAllProjects(request), strategyTypes, name);
  await strategyTypes.remove(request, actor, name, undefined, readAll);
}
