import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../events/actor.ts';
import { stamp } from '../events/event.ts';
import { sufficientEventIds, takeEventIds } from '../events/event-ids.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import type { StrategyInput } from '../schemas/strategy.ts';
import { assertReferences, loadStrategyReferences } from '../strategies/strategy-references.ts';
import { keys } from '../table/keys.ts';
import { retrySerially } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import {
  defaultStrategyCheck,
  defaultStrategyUpdated,
  defaultStrategyWrite,
  loadDefaultStrategies,
  loadDefaultStrategy,
} from './default-strategy.ts';
import type { Project } from './project.ts';
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
  await retrySerially(table, [keys.defaultStrategy(projectId, environment)], async () => {
    const [project, references, before, ids] = await Promise.all([
      loadProject(table, projectId),
      loadStrategyReferences(table, strategy),
      loadBefore(table, projectId, environment),
      takeEventIds(table, 1),
    ]);
    const environments = environmentsMeant(project, environment);
    assertReferences(strategy, references, projectId);

    const isSame = (name: string) => isDeepStrictEqual(before.get(name)?.strategy, strategy);
    const changed = environments.filter((name) => !isSame(name));
    if (changed.length === 0) return;

    const events = changed.map((name) => defaultStrategyUpdated(projectId, name, strategy, before.get(name)?.strategy));
    const { first } = await sufficientEventIds(table, ids, events.length, 0);
    await transact(
      table,
      [
        ...changed.map((name) => defaultStrategyWrite(projectId, name, strategy, before.get(name))),
        // All environments at once means those that were looked at, and no other by now.
        ...environments.filter(isSame).map((name) => defaultStrategyCheck(projectId, name, before.get(name))),
        ...(environment === everyEnvironment
          ? [{ check: keys.project(projectId), when: { version: project.version } }]
          : []),
        ...serviceEventWrites(stamp(events, first, actor, new Date().toISOString())),
      ],
      undefined,
    );
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
