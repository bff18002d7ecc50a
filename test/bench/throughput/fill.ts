import pLimit from 'p-limit';
import { systemUser } from '../../../lib/events/actor.ts';
import { stampEvents } from '../../../lib/events/event.ts';
import { takeEventIds } from '../../../lib/events/event-ids.ts';
import { type Feature, metadataOf } from '../../../lib/features/feature.ts';
import { buildFeatureWrites } from '../../../lib/features/items/feature-writes.ts';
import { buildNewLife } from '../../../lib/features/lifecycle/lifecycle.ts';
import { fullAccess, type Request } from '../../../lib/request.ts';
import type { Key } from '../../../lib/store/client/definition.ts';
import { batchWritesMax, writeBatch } from '../../../lib/store/raw-items.ts';
import { mergeWrites } from '../../../lib/store/transactions/merge-writes.ts';
import type { Write } from '../../../lib/store/transactions/write.ts';
import { slicesOf, times } from './names.ts';
import { benchEnvironment, project } from './paths.ts';

const batchesAtATime = 8;
/** Projects that share the features with the one worked in: none takes more than 20,000. */
export const fillers = times(19, (index) => `filler-${index + 1}`);
const projects = [project, ...fillers];

/**
 * Puts features of several projects into a table as imports of them would, with a strategy and an event each, but past
 * the service and without transactions, since nobody else is there yet and a hundred thousand are to be there soon.
 */
export async function fill(table: Request, amount: number): Promise<void> {
  const { first } = await takeEventIds(table, amount);
  const at = new Date().toISOString();
  const limiter = pLimit(batchesAtATime);
  const additions: Write[] = [];
  // In portions, so that they need not all be in memory at once.
  for (const portion of slicesOf(
    times(amount, (index) => index),
    1_000,
  )) {
    const writes = portion.flatMap((index) => writesOf(featureNumber(index, at), first + index, at));
    const items = writes.flatMap((each) => ('put' in each ? [{ ...each.put, ...each.item }] : []));
    await Promise.all(slicesOf(items, batchWritesMax).map((batch) => limiter(() => writeBatch(table, batch))));
    additions.push(...writes.filter((each) => 'addToAny' in each));
  }
  // The first of several items holds what transactions would have spread over all of them.
  const sums = mergeWrites(additions).flatMap((each) =>
    'addToAny' in each ? [{ ...(each.addToAny[0] as Key), ...each.amounts, ...each.set }] : [],
  );
  await writeBatch(table, sums);
}

function featureNumber(index: number, at: string): Feature {
  const name = `filler-${String(index).padStart(6, '0')}`;
  const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const parameters = { rollout: '50', stickiness: 'default', groupId: name };
  const strategy = { id, name: 'flexibleRollout', title: null, disabled: false, featureName: name, sortOrder: 0 };
  const state = {
    enabled: false,
    strategies: [{ ...strategy, segments: [], constraints: [], variants: [], parameters }],
    variants: [],
  };
  return {
    name,
    project: projects[index % projects.length] ?? project,
    type: 'release',
    description: `What ${name} is for`,
    stale: false,
    impressionData: false,
    createdAt: at,
    createdBy: systemUser,
    archivedAt: null,
    tags: [],
    dependencies: [],
    links: [],
    charts: [],
    ...buildNewLife(at),
    environments: new Map([[benchEnvironment, state]]),
    children: [],
  };
}

function writesOf(feature: Feature, eventId: number, at: string): Write[] {
  const { name: featureName, project } = feature;
  const created = { type: 'feature-created', project, featureName, data: metadataOf(feature) } as const;
  const change = { stored: undefined, after: feature };
  return buildFeatureWrites(fullAccess, change, stampEvents([created], eventId, systemUser, at));
}
