import { disagreements } from '../crash/consistency.ts';
import type { Item } from '../crash/content.ts';

type Named = { readonly name: string };
type StoredStrategy = { readonly name: string; readonly segments?: readonly number[] };

/**
 * What of a table names something that is not there any more, and what its counts, lists and references do not agree on.
 * What belongs to a project or an environment that is being deleted may wait to be removed.
 */
export function dangling(items: readonly Item[]): string[] {
  const under = (pk: string) => new Set(items.filter((item) => item.pk === pk).map(({ sk }) => sk));
  const [types, strategyTypes, removedProjects, removedEnvironments] = [
    under('TAG_TYPES'),
    under('STRATEGY_TYPES'),
    under('REMOVAL#project'),
    under('REMOVAL#environment'),
  ];
  const tags = new Set(items.filter(({ pk }) => pk.startsWith('TAGS#')).map(({ pk, sk }) => `${pk}#${sk}`));
  const segments = new Set(
    items.filter(({ pk, id }) => pk === 'SEGMENTS' && id !== undefined).map(({ id }) => Number(id)),
  );
  const projects = new Map(
    items
      .filter(({ pk, sk }) => pk.startsWith('PROJECT#') && sk === 'PROJECT')
      .map(({ id, environments }) => [
        String(id),
        (JSON.parse(String(environments)) as Named[]).map(({ name }) => name),
      ]),
  );
  const environments = new Set(
    items
      .filter(({ pk, sk }) => pk === 'ENVIRONMENTS' && sk.startsWith('ENVIRONMENT#'))
      .map(({ name }) => String(name)),
  );
  const isProject = (id: unknown) => projects.has(String(id)) || removedProjects.has(String(id));
  const isEnvironment = (name: string) => environments.has(name) || removedEnvironments.has(name);
  const problems: string[] = [];
  const hold = (isRight: boolean, problem: string) => {
    if (!isRight) problems.push(problem);
  };

  for (const [id, names] of projects) {
    for (const name of names)
      hold(isEnvironment(name), `The project ${id} has the environment ${name}, which is gone.`);
  }
  for (const item of items) {
    const { pk, sk } = item;
    const where = `${pk} ${sk}`;
    if (pk.startsWith('FEATURE#') && sk === 'FEATURE' && item.deleted !== true) {
      hold(isProject(item.project), `${where} is of the project ${item.project}, which is gone.`);
      for (const { type, value } of JSON.parse(String(item.tags ?? '[]'))) {
        hold(
          types.has(type) && tags.has(`TAGS#${type}#${value}`),
          `${where} has the tag ${type}:${value}, which is gone.`,
        );
      }
      for (const [name, { enabled, strategies, variants }] of JSON.parse(String(item.environments))) {
        const does = enabled || strategies + variants > 0;
        hold(!does || isEnvironment(name), `${where} does something in ${name}, which is gone.`);
      }
    }
    const stored = sk.startsWith('DEFAULT_STRATEGY#') ? [JSON.parse(String(item.strategy))] : ofFeature(item);
    for (const { name, segments: used = [] } of stored as StoredStrategy[]) {
      hold(strategyTypes.has(name), `${where} uses the strategy type ${name}, which is gone.`);
      for (const id of used) hold(segments.has(id), `${where} uses the segment ${id}, which is gone.`);
    }
    if (sk.startsWith('DEFAULT_STRATEGY#')) {
      const id = pk.slice('PROJECT#'.length);
      const isThere = projects.get(id)?.includes(sk.slice('DEFAULT_STRATEGY#'.length)) ?? removedProjects.has(id);
      hold(isThere, `${where} is of an environment that the project does not have.`);
    }
    if (pk === 'SEGMENTS' && typeof item.project === 'string')
      hold(isProject(item.project), `${where} is of ${item.project}, which is gone.`);
    if (pk.startsWith('TOKENS#') && item.environment !== undefined) {
      hold(isEnvironment(String(item.environment)), `${where} is for ${item.environment}, which is gone.`);
      for (const id of JSON.parse(String(item.projects)))
        hold(id === '*' || isProject(id), `${where} is for ${id}, which is gone.`);
    }
  }
  return [...problems, ...disagreements(items)];
}

function ofFeature({ pk, sk, strategies }: Item): StoredStrategy[] {
  return pk.startsWith('FEATURE#') && sk.startsWith('ENVIRONMENT#') ? JSON.parse(String(strategies)) : [];
}
