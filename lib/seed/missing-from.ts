import type { Addition } from './addition.ts';
import { missingAddons } from './additions/addons.ts';
import { missingContextFields } from './additions/context-fields.ts';
import { missingEnvironments } from './additions/environments.ts';
import { missingGroups } from './additions/groups.ts';
import { missingProjects } from './additions/projects.ts';
import { missingSegments } from './additions/segments.ts';
import { missingStrategyTypes } from './additions/strategy-types.ts';
import { missingTagTypes } from './additions/tag-types.ts';
import { missingUsers } from './additions/users.ts';
import type { SeedData } from './seed-data.ts';
import type { SeedState } from './seed-state.ts';

/**
 * Everything of a seed that a store lacks, in an order in which nothing refers to what comes after it. What is there
 * stays as it is, even if the seed describes it otherwise.
 * @param at when all this happens.
 */
export function missingFrom(state: SeedState, data: SeedData, at: string): Addition[] {
  const environments = new Map(state.environments);
  const users = new Map(state.users);
  return [
    ...missingEnvironments(data, environments),
    ...missingProjects(state, data, environments, at),
    ...missingContextFields(state, data, at),
    ...missingTagTypes(state, data),
    ...missingStrategyTypes(state, data),
    ...missingSegments(state, data, at),
    ...missingAddons(state, data, at),
    ...missingUsers(state, data, users, at),
    ...missingGroups(state, data, users, at),
  ];
}
