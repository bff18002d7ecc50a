import { requireValid } from '../../errors.ts';
import { patchObject } from '../../helpers/apply-patch.ts';
import type { JsonPatch } from '../../helpers/json-patch-schema.ts';
import type { Request } from '../../request.ts';
import { environmentOfFeature } from '../feature.ts';
import { requireFeature, requireLive } from '../require-feature.ts';
import { planStrategyChange, type StrategyPath } from './change-strategies.ts';
import { requireStrategy } from './strategy.ts';
import { strategyInput } from './strategy-input-schema.ts';
import { loadStrategyReferences } from './strategy-references.ts';
import type { Strategy } from './strategy-schema.ts';

/**
 * Plans to change a strategy by a JSON Patch. The result is the strategy as stored.
 * @throws ApiError as `planUpdateStrategy` does; 400 for a path that does not exist; 409 for a test that fails.
 */
export function planPatchStrategy(request: Request, path: StrategyPath, patch: JsonPatch) {
  const inputOf = (strategy: Strategy) => {
    const { id, featureName, ...content } = strategy;
    return requireValid(strategyInput, patchObject(content, Object.keys(content), patch));
  };
  return planStrategyChange(request, path, {
    read: async (stored) => {
      const { feature } = requireLive(requireFeature(await stored, path.featureName, path.projectId));
      const { strategies } = environmentOfFeature(feature, path.environment);
      return loadStrategyReferences(request, inputOf(requireStrategy(strategies, path.strategyId)));
    },
    inputOf,
  });
}
