import { systemUser } from '../../../lib/events/actor.ts';
import { stampEvents } from '../../../lib/events/event.ts';
import { buildNewFeature, type Feature } from '../../../lib/features/feature.ts';
import { assembleFeature, parseHead, type StoredFeature } from '../../../lib/features/items/feature-items.ts';
import { buildFeatureWrites } from '../../../lib/features/items/feature-writes.ts';
import type { Strategy } from '../../../lib/features/strategies/strategy-schema.ts';
import { fullAccess } from '../../../lib/request.ts';
import { keyText } from '../../../lib/store/client/definition.ts';
import type { Write } from '../../../lib/store/transactions/write.ts';
import type { FeaturePlace, PlanTable } from './seen.ts';

/* A store in memory for one feature. */

/** Returns a table with a feature that is off. */
export function tableWith({ project, feature: name, environment }: FeaturePlace, strategies: Strategy[], at: string) {
  const feature: Feature = buildNewFeature({
    ...{ name, project, createdAt: at, createdBy: systemUser },
    environments: new Map([[environment, { enabled: false, strategies, variants: [] }]]),
  });
  const events = stampEvents([{ type: 'feature-created', featureName: name }], 1, systemUser, at);
  const writes = buildFeatureWrites(fullAccess, { stored: undefined, after: feature }, events);
  return carryOutWrites(new Map(), writes) ?? new Map();
}

/** Carries out the writes of a transaction, as far as they concern the feature; undefined if it has changed since it was read. */
export function carryOutWrites(table: PlanTable, writes: readonly Write[]): PlanTable | undefined {
  const next = new Map(table);
  for (const write of writes) {
    if ('put' in write) {
      const { put, item, when } = write;
      const found = table.get(keyText(put));
      if (when === 'absent' && found !== undefined) return undefined;
      if (typeof when === 'object' && 'version' in when && found?.version !== when.version) return undefined;
      next.set(keyText(put), { ...put, ...item });
    }
    if ('remove' in write) next.delete(keyText(write.remove));
  }
  return next;
}

/** Reads a feature as the service does. */
export function readFrom(table: PlanTable, { feature, environment }: FeaturePlace): StoredFeature {
  const item = (sk: string) => {
    const { pk: _pk, sk: _sk, ...attributes } = table.get(keyText({ pk: `FEATURE#${feature}`, sk })) ?? {};
    return attributes;
  };
  const environments = new Map([[environment, item(`ENVIRONMENT#${environment}`)]]);
  return assembleFeature(parseHead(item('FEATURE')), { environments, parts: new Map() }, []);
}
