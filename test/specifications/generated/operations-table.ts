import { readFileSync } from 'node:fs';
import * as registry from '../../../functions/index.ts';
import type { Endpoint } from '../../../lib/http/declaration.ts';
import { pathOf } from '../example.ts';
import type { NamedSpecification } from '../specification.ts';

export const operationsFile = new URL('../../../functions/README.md', import.meta.url);

export const operationsHead = ['| Operation | Method and path | Compared with Unleash 7.6.5 |', '|---|---|---|'];

/** The operations of Unleash 7.6.5 as its own OpenAPI document names them, by their ids: their routes. */
export const unleashOperations: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('../../fixtures/unleash-7.6-operations.json', import.meta.url), 'utf8'),
);

/** An operation of ours, held against Unleash's. */
export function operationRow({ operationId, route, differs }: NamedSpecification): string {
  return `| ${operationId} | \`${route}\` | ${[comparison(operationId, route), differs ?? []].flat().join('; ')} |`;
}

/** The operations of what is not here. */
const emptyOperations = new Set(
  Object.entries<Endpoint>(registry).flatMap(([id, { declaration }]) =>
    declaration.group === 'Unavailable' ? [id] : [],
  ),
);

type Known = readonly Pick<NamedSpecification, 'operationId' | 'route'>[];

/** Our operations that Unleash's document does not name; those of what is not here apart. */
function besidesUnleash(known: Known) {
  const all = known.filter(({ operationId }) => !(operationId in unleashOperations));
  const { others = [], empty = [] } = Object.groupBy(all, ({ operationId }) =>
    emptyOperations.has(operationId) ? 'empty' : 'others',
  );
  return { others, empty };
}

/** Returns the number of operations by group, those of Unleash apart. Groups below /api/admin go by the part after it. */
export function pathLines(known: Known): string[] {
  const { others, empty } = besidesUnleash(known);
  const theirs = Object.values(unleashOperations);
  const byPath = (routes: readonly string[]) =>
    [...Map.groupBy(routes, shortGroupOf)]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([group, { length }]) => `\`${group}\` ${length}`)
      .join(', ');
  const routesOf = (operations: Known) => operations.map(({ route }) => route);
  return [
    `${known.length} operations are here. By path, below \`/api/admin\` unless it begins with \`/\`:`,
    '',
    `- **All ${theirs.length} of Unleash 7.6.5**: ${byPath(theirs)}.`,
    `- **Beyond it**, much of which Unleash sells: ${byPath(routesOf(others))}.`,
    `- **Answered as empty**, so that Unleash's admin UI works: ${byPath(routesOf(empty))}.`,
  ];
}

function comparison(operationId: string, route: string): string {
  const there = unleashOperations[operationId];
  if (there === undefined) return 'only here';
  const withoutNames = (text: string) => text.replaceAll(/\{\w+\}/g, '{}');
  return withoutNames(there) === withoutNames(route) ? 'there' : `there as \`${there}\``;
}

/** `projects` for what is below /api/admin/projects, else the first parts of the path: `/api/client`, `/auth`. */
function shortGroupOf(route: string): string {
  const [, first = '', second = '', third = ''] = pathOf(route as NamedSpecification['route']).split('/');
  if (first !== 'api') return `/${first}`;
  return second === 'admin' ? third : `/api/${second}`;
}
