import type { Actor } from '../events/actor.ts';
import { stamp } from '../events/event.ts';
import { sufficientEventIds, takeEventIds } from '../events/event-ids.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import type { StrategyInput } from '../schemas/strategy.ts';
import { assertReferences, loadStrategyReferences } from '../strategies/strategy-references.ts';
import type { Table } from '../table/client.ts';
import { keys } from '../table/keys.ts';
import { retryLostRaces } from '../table/retry.ts';
import { transact } from '../table/transact.ts';
import {
  defaultStrategyUpdated,
  defaultStrategyWrite,
  loadDefaultStrategies,
  loadDefaultStrategy,
} from './default-strategy.ts';
import { type Project, projectItem } from './project.ts';
import { loadProject, requireEnvironment } from './project-store.ts';

/** As an environment: all environments of the project. */
const everyEnvironment = '*';

/**
 * Sets what features get that are switched on in an environment without a strategy; for `*`, in all environments of the
 * project at once. What is the same already is left alone.
 * @throws ApiError 404 for an unknown project, environment or segment; 400 for a strategy that could not be used.
 */
export async function setDefaultStrategy(
  table: Table,
  actor: Actor,
  { projectId, environment }: { projectId: string; environment: string },
  strategy: StrategyInput,
): Promise<void> {
  await retryLostRaces(async () => {
    const [project, references, before, ids] = await Promise.all([
      loadProject(table, projectId),
      loadStrategyReferences(table, strategy),
      loadBefore(table, projectId, environment),
      takeEventIds(table, 1),
    ]);
    const environments = environmentsMeant(project, environment);
    assertReferences(strategy, references, projectId);

    const text = JSON.stringify(strategy);
    const changed = environments.filter((each) => JSON.stringify(before.get(each)) !== text);
    if (changed.length === 0) return;

    const events = changed.map((each) => defaultStrategyUpdated(projectId, each, strategy, before.get(each)));
    const { first } = await sufficientEventIds(table, ids, events.length, 0);
    await transact(table, [
      {
        put: keys.project(projectId),
        item: { ...projectItem({ ...project, version: project.version + 1 }) },
        when: { version: project.version },
      },
      ...changed.map((each) => defaultStrategyWrite(projectId, each, strategy)),
      ...serviceEventWrites(stamp(events, first, actor, new Date().toISOString())),
    ]);
  });
}

async function loadBefore(table: Table, projectId: string, environment: string) {
  if (environment === everyEnvironment) return loadDefaultStrategies(table, projectId);
  const strategy = await loadDefaultStrategy(table, projectId, environment);
  return new Map(strategy === undefined ? [] : [[environment, strategy]]);
}

/** @throws ApiError 404 where the project does not have the environment. */
function environmentsMeant(project: Project, environment: string): string[] {
  if (environment === everyEnvironment) return project.environments.map(({ name }) => name);
  return [requireEnvironment(project, environment).name];
}
