import { batchForRequest, commitBatches } from '../../entity/commit-units.ts';
import { environments } from '../../environments/environments.ts';
import type { Request } from '../../request.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import { stepNameOf } from '../change-features.ts';
import { loadHeads } from '../feature-store.ts';
import { type FeatureHead, lifeAttributesOf, parseLife } from '../items/feature-items.ts';
import { buildHeadWrites } from '../items/own-write.ts';
import { enterStage, type Life, listStagesByUse } from './lifecycle.ts';

/**
 * Moves features to the lifecycle stages that their use in an environment implies. Deleted and archived features, and
 * those that entered the stages before, do not change. As on Unleash, there is no event.
 * @param productionNames features that enter stages only if the environment is of the type production.
 * @throws ApiError 503 if the store is unreachable or the features stay contended.
 */
export async function enterStages(
  request: Request,
  environment: string,
  names: readonly string[],
  productionNames: readonly string[] = [],
): Promise<void> {
  const stored = await environments.find(request, environment);
  if (stored === undefined) return;
  const isProduction = stored.value.type === 'production';
  const affected = isProduction ? [...names, ...productionNames] : names;
  await retryLostRaces(request, async () => {
    const heads = await loadHeads(request, affected);
    const at = new Date().toISOString();
    const units = [...heads.values()].flatMap((head) => {
      const life = enterStagesByUse(head, environment, isProduction, at);
      if (life === undefined) return [];
      const attributes = lifeAttributesOf(head.own.createdAt, life);
      return [{ subject: stepNameOf(head.name), writes: buildHeadWrites(request, head, { attributes }, [], []) }];
    });
    await commitBatches(request, batchForRequest(request, units));
  });
}

/** Returns the life of a feature after its use; undefined if nothing changes. */
function enterStagesByUse(head: FeatureHead, environment: string, isProduction: boolean, at: string): Life | undefined {
  if (head.archivedAt !== null) return undefined;
  const life = parseLife(head.own);
  const isOn = head.revision.summaries.get(environment)?.enabled ?? false;
  const stages = listStagesByUse(life, { isProduction, isOn });
  if (stages.length === 0) return undefined;
  return stages.reduce((before, stage) => enterStage(before, { stage, enteredStageAt: at }), life);
}
