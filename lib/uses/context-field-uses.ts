import { contextFields } from '../context-fields/context-fields.ts';
import { change } from '../entity/change.ts';
import { inUse } from '../entity/entity.ts';
import type { Referrer } from '../entity/references.ts';
import type { Actor } from '../events/actor.ts';
import type { DeliveredState } from '../features/delivered-feature.ts';
import type { DeliveryItem } from '../features/shelf-items.ts';
import { listProjectIds } from '../projects/projects.ts';
import type { Constraint } from '../schemas/constraint.ts';
import { segments } from '../segments/segments.ts';
import { type Key, keys, partitions } from '../table/keys.ts';
import { queryAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';

/**
 * Removes a context field that no enabled strategy and no segment compares. One that begins to at the same moment keeps
 * its constraint, as it may: constraints may name fields that are not known.
 * @throws ApiError 404 for an unknown one; 409 that names who uses it; 412 by `If-Match`.
 */
export function removeContextField(table: Table, actor: Actor, name: string): Promise<void> {
  return change(table, actor, {
    of: [keys.contextField(name)],
    read: () => Promise.all([contextFields.load(table, name), usersOf(table, name)]),
    revisionOf: ([before]) => before,
    decide: ([before, users]) => {
      if (users.length > 0) throw inUse(`The context field "${name}" is in use`, users);
      return { ...contextFields.removed(before), result: undefined };
    },
  });
}

/** The features and the segments whose constraints name a context field. */
async function usersOf(table: Table, name: string): Promise<Referrer[]> {
  const [all, projects] = await Promise.all([segments.list(table), listProjectIds(table)]);
  const features = await Promise.all(projects.map((id) => table.limiter(() => featuresUsing(table, id, name))));
  const ofSegments = all.filter(({ constraints }) => names(constraints, name));
  return [...features.flat(), ...ofSegments.map(({ id }) => ({ by: String(id), name: `the segment "${id}"` }))];
}

/** What SDKs get of features holds the constraints of all of a project together. */
async function featuresUsing(table: Table, project: string, name: string): Promise<Referrer[]> {
  const partition = partitions.allDeliveries(project);
  const items = await queryAll<Key & DeliveryItem>(table, partition);
  return items.flatMap(({ sk, state }) => {
    const { strategies }: DeliveredState = JSON.parse(state);
    if (!strategies.some(({ constraints }) => names(constraints, name))) return [];
    const [environment, feature] = sk.slice(partition.prefix.length).split('#');
    return [{ by: sk, name: `the feature "${feature}" in "${environment}"` }];
  });
}

function names(constraints: readonly Constraint[], contextField: string): boolean {
  return constraints.some(({ contextName }) => contextName === contextField);
}
