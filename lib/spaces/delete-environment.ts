import { change } from '../entity/change.ts';
import { environments, requireUnprotected } from '../environments/environments.ts';
import { notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { mapChunks } from '../features/chunks.ts';
import { emptyEnvironment } from '../features/empty-environment.ts';
import { environmentOf, listProjectIds, projects } from '../projects/projects.ts';
import { shelfOf } from '../snapshot/shelf.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { tokenRemoved, tokens } from '../users/tokens.ts';
import { eachOf } from './delete-project.ts';
import { completeRemoval, forSteps, isInRemoval, removalBegun } from './removal.ts';
import { removeEnvironment, switchOff } from './remove-environment.ts';

/**
 * Deletes an environment that is not protected: by the time of the answer it is in no project, its tokens are deleted, and
 * features have neither strategies nor variants there. Cut off and sent again, it completes.
 * @throws ApiError 404 for an unknown environment; 400 for a protected one; 412 by `If-Match`.
 */
export async function deleteEnvironment(table: Table, actor: Actor, name: string): Promise<void> {
  const { receipt: _, ...ours } = table;
  await change(ours, actor, {
    of: [keys.environment(name)],
    read: () => Promise.all([environments.find(table, name), isInRemoval(table, 'environment', name)]),
    revisionOf: ([before]) => before,
    decide: ([before, isBegun]) => {
      if (before === undefined) {
        if (isBegun) return { writes: [], events: [], result: undefined };
        throw notFound('environment', name);
      }
      requireUnprotected(before.value);
      const { writes, events } = environments.removed(before);
      return { writes: [...writes, removalBegun('environment', name)], events, result: undefined };
    },
  });
  await removeBelongings(forSteps(table), actor, name);
  await completeRemoval(table, 'environment', name);
}

/** Removes what is left in a deleted environment, where its deletion was cut off, so that a new one can have its name. */
export async function completeEnvironmentDeletion(table: Table, actor: Actor, name: string): Promise<void> {
  if (!(await isInRemoval(table, 'environment', name))) return;
  const ours = forSteps(table);
  await removeBelongings(ours, actor, name);
  await completeRemoval(ours, 'environment', name);
}

/** How many projects, and how many features of one, are looked after together. */
const together = 8;

/** Nothing is added meanwhile: an addition to an environment checks in its own transaction that the environment exists. */
async function removeBelongings(table: Table, actor: Actor, environment: string): Promise<void> {
  const isForIt = (token: { readonly environment?: string }) => token.environment === environment;
  await eachOf(table, actor, tokens, isForIt, tokenRemoved);
  const found = await projects.some(table, await listProjectIds(table));
  await mapChunks([...found.values()], together, async (project) => {
    const place = { projectId: project.id, environment };
    if (environmentOf(project, environment) === undefined) await switchOff(table, actor, project.id, environment);
    else await removeEnvironment(table, actor, place);
    const { features } = await shelfOf(table, project.id);
    const names = [...features].flatMap(([name, { summaries }]) => {
      const { strategies = 0, variants = 0 } = summaries.get(environment) ?? {};
      return strategies + variants > 0 ? [name] : [];
    });
    await mapChunks(names, together, (name) => emptyEnvironment(table, actor, name, environment));
  });
}
