import { isDeepStrictEqual } from 'node:util';
import type { FlagRequest } from '../../entity/effects.ts';
import type { Actor } from '../../events/actor.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { changeOwn } from '../change-live.ts';
import type { FeaturePath } from '../feature.ts';
import { featureCompleted, featureUncompleted } from '../feature-events.ts';
import type { Completion, Lifecycle } from '../feature-schema.ts';
import { loadFeatureOfProject } from '../get-feature.ts';
import { enterStage, removeStage, toStageView } from './lifecycle.ts';

/**
 * Lists the stages that a feature has entered, oldest first.
 * @throws ApiError 404 for an unknown project or feature.
 */
export async function listStages(request: Request, path: FeaturePath): Promise<Versioned<readonly Lifecycle[]>> {
  const { feature, revision } = await loadFeatureOfProject(request, path);
  return { value: feature.stages.map(toStageView), version: revision.version };
}

/**
 * Marks a feature as completed, or changes the outcome of a completed one.
 * @throws ApiError 404 for an unknown project or feature; 412 if `If-Match` does not match.
 */
export function completeFeature(request: FlagRequest, actor: Actor, path: FeaturePath, completion: Completion) {
  return changeOwn(request, actor, path, (feature, at) => {
    const life = enterStage(feature, { stage: 'completed', ...completion, enteredStageAt: at });
    const isSame = isDeepStrictEqual(life.stages, feature.stages);
    return { after: { ...feature, ...life }, event: isSame ? undefined : featureCompleted(feature, completion) };
  });
}

/**
 * Marks a feature as not completed.
 * @throws ApiError 404 for an unknown project or feature; 412 if `If-Match` does not match.
 */
export function uncompleteFeature(
  request: FlagRequest,
  actor: Actor,
  path: FeaturePath,
): Promise<Versioned<undefined>> {
  return changeOwn(request, actor, path, (feature) => {
    const wasCompleted = feature.stages.some(({ stage }) => stage === 'completed');
    return {
      after: { ...feature, ...removeStage(feature, 'completed') },
      event: wasCompleted ? featureUncompleted(feature) : undefined,
    };
  });
}
