import type { EnvironmentItem } from '../environments/environment.ts';
import { CountChanges } from '../environments/environment-counts.ts';
import { ApiError, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { type NewEvent, stamp } from '../events/event.ts';
import { takeEventIds } from '../events/event-ids.ts';
import { serviceEventWrites } from '../events/event-items.ts';
import type { StrategyInput } from '../schemas/strategy.ts';
import { assertReferences, loadStrategyReferences, noReferences } from '../strategies/strategy-references.ts';
import { keys } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import { retrySerially } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import { transact } from '../table/transact.ts';
import { defaultStrategyUpdated, defaultStrategyWrite } from './default-strategy.ts';
import { environmentOf, projectItem, withEnvironment } from './project.ts';
import { loadProject } from './project-store.ts';

export interface NewProjectEnvironment {
  readonly environment: string;
  readonly changeRequestsEnabled?: boolean;
  readonly defaultStrategy?: StrategyInput;
}

/**
 * Adds an environment to a project. Every feature of the project has it from then on, disabled: that follows from the
 * project, so nothing is written about the features, however many there are.
 * @throws ApiError 404 for an unknown project, environment or segment; 409 where the project has it already; 400 for a
 * default strategy that could not be used.
 */
export async function addEnvironment(
  table: Table,
  actor: Actor,
  projectId: string,
  { environment: name, changeRequestsEnabled = false, defaultStrategy }: NewProjectEnvironment,
): Promise<void> {
  await retrySerially(table, [keys.project(projectId)], async () => {
    const [project, environment, references, ids] = await Promise.all([
      loadProject(table, projectId),
      readItem<EnvironmentItem>(table, keys.environment(name)),
      defaultStrategy === undefined ? noReferences : loadStrategyReferences(table, defaultStrategy),
      takeEventIds(table, 2),
    ]);
    if (environment === undefined) throw notFound('environment', name);
    if (environmentOf(project, name) !== undefined) {
      throw new ApiError('NameExistsError', `The project "${projectId}" has the environment "${name}" already.`);
    }
    if (defaultStrategy !== undefined) assertReferences(defaultStrategy, references, projectId, 'defaultStrategy');

    const { type, sortOrder } = environment;
    const { version, ...after } = withEnvironment(project, { name, type, sortOrder, changeRequestsEnabled });
    const events: NewEvent[] = [{ type: 'project-environment-added', project: projectId, environment: name }];
    if (defaultStrategy !== undefined) {
      events.push(defaultStrategyUpdated(projectId, name, defaultStrategy, undefined));
    }
    const counts = new CountChanges();
    counts.add('projectCount', name, 1);
    await transact(
      table,
      [
        {
          put: keys.project(projectId),
          item: { ...projectItem({ ...after, version: version + 1 }) },
          when: { version },
        },
        ...(defaultStrategy === undefined ? [] : [defaultStrategyWrite(projectId, name, defaultStrategy, undefined)]),
        ...counts.writes(),
        ...serviceEventWrites(stamp(events, ids.first, actor, new Date().toISOString())),
      ],
      undefined,
    );
  });
}
