import { batchUnits, commitBatches } from '../../entity/commit-units.ts';
import { environments } from '../../environments/environments.ts';
import type { Request } from '../../request.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import { stepNameOf } from '../change-features.ts';
import { loadHeads } from '../feature-store.ts';

import { type FeatureHead, lifeAttributesOf, parseLife } from '../items/feature-items.ts';
import { buildHeadWrites } from '../items/own-write.ts';
import { enterStage, type Life, stagesByUse } from './lifecycle.ts';

/**
 * Enters for features the lifecycle stages that their use in an environment implies. Features that have entered them,
 * and deleted or archived ones, stay as they are. As in Unleash there is no event.
 * @param inProduction those to which it happens only if that is a production environment.
 * @throws ApiError 503 where the store is out of reach or the features stay contended.
 */
export async function enterStages(
  request: Request,
  environment: string,
  names: readonly string[],
  inProduction: readonly string[] = [],
): Promise<void> {
  const found = await environments.find(request, environment);
  if (found === undefined) return;
  const isProduction = found.value.type === 'production';
  const concerned = isProduction ? [...names, ...inProduction] : names;
  await retryLostRaces(request, async () => {
    const heads = await loadHeads(request, concerned);
    const at = new Date().toISOString();
    const units = [...heads.values()].flatMap((head) => {
      const life = lifeAfterUse(head, environment, isProduction, at);
      if (life === undefined) return [];
      const attributes = lifeAttributesOf(head.own.createdAt, life);
      return [{ what: stepNameOf(head.name), writes: buildHeadWrites(request, head, { attributes }, [], []) }];
    });
    await commitBatches(request, batchUnits(request, units));
  });
}

/** Undefined where nothing changes. */
function lifeAfterUse(head: FeatureHead, environment: string, isProduction: boolean, at: string): Life | undefined {
  if (head.archivedAt !== null) return undefined;
  const life = parseLife(head.own);
  const isOn = head.revision.summaries.get(environment)?.enabled ?? false;
  const stages = stagesByUse(life, { isProduction, isOn });
  if (stages.length === 0) return undefined;
  return stages.reduce((before, stage) => enterStage(before, { stage, enteredStageAt: at }), life);
}
