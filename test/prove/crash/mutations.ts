import * as registry from '../../../functions/index.ts';
import { handler as notFound } from '../../../functions/service/notFound.ts';
import { type Endpoint, isMutation } from '../../../lib/http/declaration.ts';
import { createRouter } from '../../../lib/http/local/router.ts';
import { type Scenario, scenarios } from './scenarios.ts';

const endpoints: Readonly<Record<string, Endpoint>> = registry;

/**
 * The scenarios of each mutation in the registry.
 * @throws Error where a mutation has none, or where a scenario is not about the operation under whose name it stands.
 */
export function scenariosOfMutations(): [operationId: string, Scenario][] {
  const route = createRouter(endpoints, notFound);
  const mutations = Object.keys(endpoints).filter((name) => endpoints[name] && isMutation(endpoints[name].declaration));
  const without = mutations.filter((name) => (scenarios[name] ?? []).length === 0);
  if (without.length > 0) throw new Error(`There is no scenario in scenarios.ts for: ${without.join(', ')}.`);

  const all = Object.entries(scenarios).flatMap(([name, list]) => list.map((each): [string, Scenario] => [name, each]));
  const stray = all.filter(([name, { request }]) => route(request.method, request.target).handler !== endpoints[name]);
  if (stray.length > 0) {
    throw new Error(`These scenarios ask for another operation: ${stray.map(([name]) => name).join(', ')}.`);
  }
  return all;
}
