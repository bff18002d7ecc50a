import type { Effects } from '../entity/change.ts';
import { countWrites } from '../environments/environment-counts.ts';
import * as keys from '../store/keys.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Write } from '../store/transactions/write.ts';
import { closingWrites, type Ledger } from './ledger.ts';
import { environmentAdded, type Project, type ProjectEnvironment, projects, withEnvironment } from './projects.ts';
import { notInRemoval } from './removal.ts';

/**
 * Returns the writes that create a project, besides its own item.
 * @param ledger ledger of its id, which the deletion of an earlier project closed.
 */
export function newProjectWrites({ id, mode, environments }: Project, ledger: Ledger): Write[] {
  const own = environments.map(({ name }) => name);
  const afterEarlier: Write[] = [
    ...closingWrites(ledger, { isClosed: false, isWhole: true, environments: own }),
    { remove: keys.projectSeen(id) },
    // It may have been private.
    ...(mode === 'private' ? [] : [{ remove: keys.privateProject(id) }]),
  ];
  return [notInRemoval('project', id), ...countsOf(own), ...(ledger.isClosed ? afterEarlier : [])];
}

/** Returns the effects of adding environments to a project. */
export function environmentsAdded(project: Versioned<Project>, added: readonly ProjectEnvironment[]): Effects {
  const names = added.map(({ name }) => name);
  return {
    writes: [...projects.updated(project, added.reduce(withEnvironment, project.value)).writes, ...countsOf(names)],
    events: names.map((name) => environmentAdded(project.value.id, name)),
  };
}

/** Returns the further writes for environments that the project has had before: their removal closed them. */
export function reopened(ledger: Ledger, environments: readonly string[]): Write[] {
  const closed = environments.filter((name) => ledger.closedEnvironments.has(name));
  return closed.length === 0 ? [] : closingWrites(ledger, { isClosed: false, environments: closed });
}

function countsOf(environments: readonly string[]): Write[] {
  return environments.flatMap((name) => countWrites('projectCount', name, 1));
}
