import { readFileSync } from 'node:fs';
import * as registry from '../../../functions/index.ts';
import type { Endpoint } from '../../../lib/http/declaration.ts';
import { pathOf } from '../example.ts';
import type { NamedSpecification } from '../specification.ts';

export const operationsFile = new URL('../../../functions/README.md', import.meta.url);

/** Its part `summary of operations` says how many there are. */
export const summaryFile = new URL('../../../README.md', import.meta.url);

export const operationsHead = ['| Operation | Method and path | Compared with Unleash 7.6.5 |', '|---|---|---|'];

/** The operations of Unleash 7.6.5 as its own OpenAPI document names them, by their ids: their routes. */
export const unleashOperations: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('../../fixtures/unleash-7.6-operations.json', import.meta.url), 'utf8'),
);

/** An operation of ours, held against Unleash's. */
export function operationRow({ operationId, route, differs }: NamedSpecification): string {
  return `| ${operationId} | \`${route}\` | ${[comparison(operationId, route), differs ?? []].flat().join('; ')} |`;
}

/** Those of Unleash that are not here, by the first part of their path. */
export function missingLines(known: readonly Pick<NamedSpecification, 'operationId'>[]): string[] {
  const ids = new Set(known.map(({ operationId }) => operationId));
  const missing = Object.entries(unleashOperations).filter(([id]) => !ids.has(id));
  const groups = Map.groupBy(missing, ([, route]) => groupOf(route as NamedSpecification['route']));
  const lines = [...groups].toSorted(([a], [b]) => a.localeCompare(b));
  const all = Object.keys(unleashOperations).length;
  if (missing.length === 0) return [`${ids.size} operations are here, and all ${all} of Unleash 7.6.5 are among them.`];
  return [
    `${ids.size} operations are here. Of the ${all} of Unleash 7.6.5 ${missing.length} ` +
      `${missing.length === 1 ? 'is' : 'are'} not:`,
    '',
    ...lines.map(
      ([group, operations]) =>
        `- \`${group}\`: ${operations
          .map(([id]) => id)
          .toSorted()
          .join(', ')}`,
    ),
  ];
}

/** The operations of what is not here. */
const emptyOperations = new Set(
  Object.entries<Endpoint>(registry).flatMap(([id, { declaration }]) =>
    declaration.group === 'Unavailable' ? [id] : [],
  ),
);

type Known = readonly Pick<NamedSpecification, 'operationId' | 'route'>[];

/** Returns the number of Unleash's operations that are here, and the number of others. */
export function summaryLines(known: Known): string[] {
  const { others, empty } = besidesUnleash(known);
  const all = Object.keys(unleashOperations).length;
  const here = known.length - others.length - empty.length;
  return [
    (here === all
      ? `All ${all} operations of Unleash 7.6.5 are here. `
      : `Of the ${all} operations of Unleash 7.6.5, ${here} are here. `) +
      `There are ${others.length} more, many of which only ` +
      `Unleash's paid editions have, and ${empty.length} that answer as empty, so that Unleash's admin UI works.`,
    '[functions/README.md](functions/README.md) lists each of them.',
  ];
}

/** Our operations that Unleash's document does not name; those of what is not here apart. */
function besidesUnleash(known: Known) {
  const all = known.filter(({ operationId }) => !(operationId in unleashOperations));
  const { others = [], empty = [] } = Object.groupBy(all, ({ operationId }) =>
    emptyOperations.has(operationId) ? 'empty' : 'others',
  );
  return { others, empty };
}

/** Returns the coverage of each group of Unleash's operations. Groups below /api/admin go by the part after it. */
export function pathLines(known: Known): string[] {
  const ids = new Set(known.map(({ operationId }) => operationId));
  const groups = Map.groupBy(Object.entries(unleashOperations), ([, route]) => shortGroupOf(route));
  const counts = [...groups]
    .map(([group, theirs]) => ({ group, here: theirs.filter(([id]) => ids.has(id)).length, all: theirs.length }))
    .toSorted((a, b) => a.group.localeCompare(b.group));
  const list = (found: typeof counts, text: (count: (typeof counts)[number]) => string) =>
    found.map((count) => `\`${count.group}\` ${text(count)}`).join(', ') || 'none';
  const { others, empty } = besidesUnleash(known);
  const byPath = (operations: typeof others) =>
    [...Map.groupBy(operations, ({ route }) => shortGroupOf(route))]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([group, { length }]) => `\`${group}\` ${length}`)
      .join(', ') || 'none';
  const partly = counts.filter(({ here, all }) => here < all);
  return [
    'By path, below `/api/admin` unless it begins with `/`:',
    '',
    `- **All here**: ${list(
      counts.filter(({ here, all }) => here === all),
      ({ all }) => `${all}`,
    )}.`,
    ...(partly.length > 0 ? [`- **Not all here**: ${list(partly, ({ here, all }) => `${here} of ${all}`)}.`] : []),
    `- **Beyond it**, much of which Unleash sells: ${byPath(others)}.`,
    `- **Answered as empty**, so that Unleash's admin UI works: ${byPath(empty)}.`,
  ];
}

function comparison(operationId: string, route: string): string {
  const there = unleashOperations[operationId];
  if (there === undefined) return 'only here';
  const withoutNames = (text: string) => text.replaceAll(/\{\w+\}/g, '{}');
  return withoutNames(there) === withoutNames(route) ? 'there' : `there as \`${there}\``;
}

/** `/api/admin/projects` for what is below it. */
function groupOf(route: NamedSpecification['route']): string {
  const parts = pathOf(route).split('/');
  return parts.slice(0, parts[2] === 'admin' ? 4 : 3).join('/');
}

/** `projects` for what is below /api/admin/projects, else the first parts of the path: `/api/client`, `/auth`. */
function shortGroupOf(route: string): string {
  const [, first = '', second = '', third = ''] = pathOf(route as NamedSpecification['route']).split('/');
  if (first !== 'api') return `/${first}`;
  return second === 'admin' ? third : `/api/${second}`;
}
