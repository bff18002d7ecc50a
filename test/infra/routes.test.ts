import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { deploymentOf } from '../../functions/folders.ts';
import * as registry from '../../functions/index.ts';
import { functionOf } from '../../infra/deployed-endpoints.ts';
import type { Endpoint } from '../../lib/http/declaration.ts';
import { createRouter } from '../../lib/http/local/router.ts';
import released from '../fixtures/routes-0.2.0.json' with { type: 'json' };
import { readExample } from '../specifications/generated/openapi-example.ts';
import { deployedRoutes } from './deployed-routes.ts';

/** The function that each operation has, or shares with its folder. */
const functions = new Map(deployedRoutes.map((endpoint) => [endpoint.operationId, functionOf(endpoint)]));

const routes = deployedRoutes.map(({ route, operationId }) => {
  const [method = '', path = ''] = route.split(' ');
  return { method, segments: path.split('/'), leadsTo: functions.get(operationId) };
});

type Route = (typeof routes)[number];

const isGreedy = ({ segments }: Route) => segments.at(-1)?.endsWith('+}') === true;

const isParameter = (segment: string) => segment.startsWith('{');

/**
 * The functions that API Gateway may lead a request to. It documents that the most specific route is selected: a full
 * match of path and method before one with a greedy parameter, and `ANY` for the methods that are not defined. It does not
 * say whether of two full matches the more specific path or the more specific method counts, so both are here.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
 */
function candidates(method: string, path: string): Set<string | undefined> {
  const sent = path.split('/');
  const matches = routes.filter((route) => (route.method === 'ANY' || route.method === method) && takes(route, sent));
  const full = matches.filter((route) => !isGreedy(route));
  const best = full.length > 0 ? full : matches;
  const ofPath = ({ segments }: Route) => segments.map((segment) => (isParameter(segment) ? 1 : 0)).join('');
  const ofMethod = (route: Route) => (route.method === 'ANY' ? 1 : 0);
  const byPath = first(best, (route) => `${ofPath(route)} ${ofMethod(route)}`);
  const byMethod = first(best, (route) => `${ofMethod(route)} ${ofPath(route)}`);
  return new Set([byPath?.leadsTo, byMethod?.leadsTo]);
}

function takes(route: Route, sent: readonly string[]): boolean {
  const declared = isGreedy(route) ? route.segments.slice(0, -1) : route.segments;
  const hasLength = isGreedy(route) ? sent.length > declared.length : sent.length === declared.length;
  return hasLength && declared.every((segment, index) => isParameter(segment) || segment === sent[index]);
}

function first(found: readonly Route[], rankOf: (route: Route) => string): Route | undefined {
  return found.toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1))[0];
}

const endpoints = Object.entries<Endpoint>(registry).filter(([, { declaration }]) => !declaration.streams);

describe('API Gateway leads to its own function', () => {
  test.each(endpoints)('the example of %s', (operationId, { declaration }) => {
    const { params = {} } = readExample(operationId);
    const path = declaration.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
    expect(candidates(declaration.method, path)).toEqual(new Set([functions.get(operationId)]));
  });

  test('each request with a value that may contain a slash, which API Gateway decodes before it matches routes', () => {
    const ofText = endpoints.filter(([, { declaration }]) => declaration.freeText !== undefined);
    expect(ofText.length).toBeGreaterThan(8);
    for (const [operationId, { declaration }] of ofText) {
      const { method, path, freeText = [] } = declaration;
      const sent = path.replaceAll(/\{(\w+)\}/g, (_, name) => (freeText.includes(name) ? 'a/b' : 'x'));
      expect(candidates(method, sent), operationId).toEqual(new Set([functions.get(operationId)]));
    }
  });

  test('each request for a name that is a word in the path of another operation, as the local server does', async () => {
    const locally = createRouter(registry, async () => ({ statusCode: 404 }));
    let checked = 0;
    for (const path of pathsInCommon()) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const { handler, pathParameters } = locally(method, path);
        const [operationId, endpoint] = endpoints.find(([, each]) => each === handler) ?? [];
        // An id that has to be a number is refused by whatever function.
        if (operationId === undefined || !accepts(endpoint, pathParameters)) continue;
        expect(candidates(method, path), `${method} ${path}`).toEqual(new Set([functions.get(operationId)]));
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(150);
  });
});

test('A route that a release has deployed stays in its nested stack, since routes cannot move', () => {
  const moved = deployedRoutes
    .filter(({ route, folder }) => ((released as Record<string, string>)[route] ?? folder) !== folder)
    .map(({ route, folder }) => `${route} to ${folder}`);
  expect(moved, 'see functions/folders.ts').toEqual([]);
  expect(deployedRoutes.filter(({ route }) => route in released).length).toBeGreaterThan(150);
});

describe('A folder that is one function', () => {
  const shared = deployedRoutes.filter(({ folder }) => deploymentOf(folder) !== 'apart');

  test('has one route for everything below its own path, and one for the path itself', () => {
    const routesOf = (wanted: string) => shared.filter(({ folder }) => folder === wanted).map(({ route }) => route);
    expect(new Set(routesOf('segments'))).toEqual(
      new Set(['ANY /api/admin/segments', 'ANY /api/admin/segments/{proxy+}']),
    );
  });

  /** Tells whether all operations of a folder share one rate limit. */
  const hasOneRate = (of: string) => {
    const rates = shared.filter(({ folder }) => folder === of).map(({ declaration }) => declaration.throttle);
    return new Set(rates.map((rate) => JSON.stringify(rate))).size === 1;
  };

  test('has one route if all its operations share a rate limit', () => {
    const ofConsole = shared.filter(({ folder }) => folder === 'console');
    expect(ofConsole.length).toBeGreaterThan(5);
    expect(new Set(ofConsole.map(({ route }) => route))).toEqual(new Set(['ANY /api/admin/console/{proxy+}']));
  });

  test('has a route of its own for an operation with a rate limit, which no spelling of the path bypasses', () => {
    const limited = shared.filter(
      ({ declaration, folder }) => declaration.throttle !== undefined && !hasOneRate(folder),
    );
    expect(limited.length).toBeGreaterThan(5);
    const greedy = routes.filter(isGreedy);
    for (const { route, declaration } of limited) {
      expect(route).toMatch(/^(ANY|POST) .*[^+]\}?$/);
      expect(greedy.filter((each) => takes(each, declaration.path.split('/')))).toEqual([]);
    }
  });

  test('does not match paths of another such folder', () => {
    for (const { folder, route } of shared.filter(({ route }) => route.endsWith('{proxy+}'))) {
      const above = { method: 'ANY', segments: route.replace('ANY ', '').split('/'), leadsTo: folder };
      const others = shared.filter((each) => each.folder !== folder);
      const taken = others.filter(({ declaration }) => takes(above, declaration.path.split('/')));
      expect(taken, route).toEqual([]);
    }
  });
});

function accepts(endpoint: Endpoint | undefined, params: object | undefined): boolean {
  const schema = endpoint?.declaration.params;
  return schema === undefined || v.is(schema, params);
}

/** The addresses that the paths of two operations have in common. */
function pathsInCommon(): Set<string> {
  const paths = [...new Set(endpoints.map(([, { declaration }]) => declaration.path))].map((path) => path.split('/'));
  const common = paths.flatMap((a) =>
    paths
      .filter((b) => b !== a && b.length === a.length)
      .map((b) => a.map((segment, index) => wordOf(segment, b[index] ?? '')))
      .filter((segments) => !segments.includes(undefined)),
  );
  return new Set(common.map((segments) => segments.join('/')));
}

function wordOf(a: string, b: string): string | undefined {
  if (isParameter(a)) return isParameter(b) ? '1' : b;
  return isParameter(b) || a === b ? a : undefined;
}
