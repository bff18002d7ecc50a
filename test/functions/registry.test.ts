import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as registry from '../../functions/index.ts';
import { type Audience, isMutation } from '../../lib/http/declaration.ts';
import { audienceOf } from '../../lib/http/middleware/authenticate.ts';
import { asksStore } from '../specifications/generated/access-pattern.ts';
import { readContractOperations } from '../specifications/generated/contract.ts';
import { operationsFile, pathLines, unleashOperations } from '../specifications/generated/operations-table.ts';
import { outdated, readPart } from '../specifications/generated/part.ts';
import { registered } from '../specifications/registered.ts';

const operations = Object.entries(registry).map(([operationId, { declaration }]) => ({ operationId, ...declaration }));
const ids = Object.keys(registry).toSorted();
const lines = registered();
const endpoints: Readonly<Record<string, unknown>> = registry;

/** All files of `functions/<folder>/`, but for the one that answers what no endpoint takes, which has neither a method nor a path. */
const filesOfEndpoints = globSync('functions/*/*.ts')
  .filter((file) => basename(file) !== 'not-found.ts')
  .toSorted();

describe('the registry', () => {
  test('has every endpoint once', () => {
    expect(lines.map(({ name }) => name).toSorted(), 'functions/index.ts').toEqual(ids);
  });

  test('leaves no file out', () => {
    const named = [...new Set(lines.map(({ folder, file }) => `functions/${folder}/${file}.ts`))];
    expect(filesOfEndpoints, 'add a line to functions/index.ts').toEqual(named.toSorted());
  });

  test.each(filesOfEndpoints)('takes all that %s exports: endpoints under their operationIds', async (file) => {
    const exported: Readonly<Record<string, unknown>> = await import(`../../${file}`);
    const strangers = Object.keys(exported).filter((name) => exported[name] !== endpoints[name]);
    expect(strangers, 'export const <operationId> = endpoint({ … }).handle(…)').toEqual([]);
    expect(Object.keys(exported), 'the name of a Lambda handler is that of its operation').not.toContain('handler');
  });

  test('gives every path and method to one endpoint, whatever its variables are called', () => {
    const shapes = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(shapes.toSorted()).toEqual([...new Set(shapes)].toSorted());
  });

  test('calls the variable at one place of a path the same in all paths', () => {
    const names = new Map<string, string>();
    for (const { path } of operations) {
      const segments = path.split('/');
      for (const [index, segment] of segments.entries()) {
        if (!segment.startsWith('{')) continue;
        const place = segments
          .slice(0, index)
          .join('/')
          .replaceAll(/\{\w+\}/g, '{}');
        expect(segment, `the variable after ${place}`).toBe(names.get(place) ?? segment);
        names.set(place, segment);
      }
    }
  });

  test('answers on the deployed routes as it does locally: no GET hides a method of a path with a variable', () => {
    // Deployed, the function of GET /things/search takes all methods of this path, PUT /things/{id} among them.
    const hidden = operations.flatMap(({ path, method }) =>
      operations
        .filter((other) => method === 'GET' && other.path !== path && isTakenBy(path, other.path))
        .filter((other) => !operations.some((same) => same.path === path && same.method === other.method))
        .map((other) => `GET ${path} hides ${other.method} ${other.path}`),
    );
    // These paths are Unleash's own. A feature of this name is deleted by the operation on many; no user has a word as id.
    const ofNames = hidden.filter((each) => !each.endsWith('/user-admin/{id}'));
    expect(ofNames).toEqual(['GET /api/admin/archive/features hides DELETE /api/admin/archive/{featureName}']);
    expect(isTakenBy('/things/search', '/things/{id}')).toBe(true);
  });
});

/** Tells whether the pattern of a path with variables takes another path. */
function isTakenBy(path: string, pattern: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/{]+')}$`).test(path);
}

/** Those whose requests the store is asked for nothing, once a process knows what they ask about. */
const sdkAudiences: readonly Audience[] = ['client', 'frontend', 'evaluation'];

describe('the specifications', () => {
  test('are one for each endpoint, in a test file of its folder, and for nothing else', () => {
    const specified = globSync('test/functions/*/*.test.ts').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^specify\('(\w+)'/gm)].map(
        ([, name]) => `${name} of ${basename(dirname(file))}`,
      ),
    );
    const wanted = lines.map(({ name, folder }) => `${name} of ${folder}`);
    const missing = wanted.filter((each) => !specified.includes(each));
    expect(missing.join(', '), 'endpoints without a specification').toBe('');
    expect(specified.toSorted()).toEqual(wanted.toSorted());
  });

  test.each([
    ['the operations of functions/README.md', () => rowsOf('operations'), ids],
    [
      'the events of functions/README.md',
      () => rowsOf('events'),
      operations.filter(isMutation).map(({ operationId }) => operationId),
    ],
    [
      'the access patterns of functions/README.md',
      () => rowsOf('access patterns'),
      operations
        .filter((operation) => asksStore(operation) && !sdkAudiences.includes(operation.audience ?? 'admin'))
        .map(({ operationId }) => operationId),
    ],
    [
      'the requests of test/contract/operations.json',
      () => readContractOperations().map(({ operationId }) => operationId),
      operations.filter(({ audience }) => audience === undefined).map(({ operationId }) => operationId),
    ],
  ])(
    'are what %s are generated from: none is missing and none is left over, by folder and name',
    (_title, found, wanted) => {
      const order = ({ operationId }: (typeof operations)[number]) =>
        lines.findIndex(({ name }) => name === operationId);
      const all = operations.toSorted((a, b) => order(a) - order(b)).map(({ operationId }) => operationId);
      expect(found(), outdated()).toEqual(all.filter((operationId) => wanted.includes(operationId)));
    },
  );
});

describe("what the pages say of Unleash's operations", () => {
  const known = operations.map(({ operationId, method, path }) => ({
    operationId,
    route: `${method} ${path}` as const,
  }));

  test('is true in README.md and up to date in functions/README.md', () => {
    const all = Object.keys(unleashOperations);
    expect(all.filter((operationId) => !ids.includes(operationId))).toEqual([]);
    expect(readFileSync('README.md', 'utf8')).toContain(`All ${all.length} operations of Unleash 7.6.5 are here`);
    expect(readPart(operationsFile, 'operations by path'), outdated()).toEqual(pathLines(known));
  });
});

/** The operations that have a row in a generated table. */
function rowsOf(part: string): string[] {
  return readPart(operationsFile, part)
    .slice(2)
    .flatMap((line) => /^\| (\w+) \|/.exec(line)?.[1] ?? []);
}

describe.each(operations)('$operationId', (operation) => {
  const { method, path, permission, rights, audience = 'admin', tokenInPath, responses, body, errors = [] } = operation;
  const { protocol } = operation;

  test('takes the tokens that the paths around it take', () => {
    expect(audienceOf(path)).toBe(tokenInPath === undefined ? audience : 'evaluation');
  });

  test('changes nothing without a permission, which SDKs do not have', () => {
    expect(permission === undefined || audience === 'admin').toBe(true);
    if (isMutation(operation) && audience === 'admin') expect(permission).toBeDefined();
  });

  test('declares one successful answer, and errors that it alone can decide', () => {
    const statuses = Object.keys(responses).map(Number);
    // MCP answers a notification with a status of its own.
    expect(statuses.filter((status) => status !== 304)).toHaveLength(protocol === 'MCP' ? 2 : 1);
    for (const status of statuses)
      expect(status).toBeOneOf([200, 201, 202, 204, 302, ...(method === 'GET' || rights === 'read' ? [304] : [])]);
    for (const status of [204, 304] as const) expect(responses[status] ?? null).toBeNull();
    for (const status of errors) expect(status).toBeOneOf([400, 401, 403, 404, 409]);
    expect(new Set(errors).size).toBe(errors.length);
    if (method === 'GET' || method === 'DELETE') expect(body).toBeUndefined();
  });
});
