import type { GatewayRequest } from '../harness/gateway.ts';
import type { World } from '../harness/world.ts';
import { type Specification, type SpecifiedRequest, sdkKindsOf } from './specification.ts';

/** A request as it is sent, and what it was made of. */
export interface Example extends Required<Pick<GatewayRequest, 'method' | 'target' | 'headers'>> {
  readonly body: unknown;
  /** The project in which a caller needs their role, if it is about one. */
  readonly project: string | undefined;
  readonly specified: SpecifiedRequest;
}

/**
 * Prepares a request of a specification that succeeds: the first one, or one of the others by its title. A request of an
 * SDK carries its token; all others leave that to who sends them.
 */
export async function exampleOf(
  { route, may, request, given, others = {} }: Pick<Specification, 'route' | 'may' | 'request' | 'given' | 'others'>,
  world: World,
  title?: string,
): Promise<Example> {
  const make = title === undefined ? request : others[title];
  if (title !== undefined && make === undefined) throw new Error(`There is no request "${title}".`);
  await given?.(world);
  const specified = (await make?.(world)) ?? {};
  const { params = {}, body, project = params.projectId } = specified;
  const [kind] = sdkKindsOf({ may });
  const headers = { ...(kind && { authorization: await world.sdkToken(kind) }), ...specified.headers };
  return {
    method: methodOf(route),
    target: targetOf(route, specified),
    headers,
    // As it is once sent: no two places share an object.
    body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)),
    project: project === undefined ? undefined : String(project),
    specified,
  };
}

export function methodOf(route: Specification['route']): string {
  return route.slice(0, route.indexOf(' '));
}

export function pathOf(route: Specification['route']): string {
  return route.slice(route.indexOf(' ') + 1);
}

/** The names of the variables of a path. */
export function pathVariablesOf(route: Specification['route']): string[] {
  return [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** A path with values for its variables, which are encoded; those in `encoded` stay as they are. */
export function targetOf(
  route: Specification['route'],
  { params = {}, query = {} }: Pick<SpecifiedRequest, 'params' | 'query'>,
  encoded: Readonly<Record<string, string>> = {},
): string {
  const path = pathOf(route).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = encoded[name] ?? (params[name] === undefined ? undefined : encodeURIComponent(params[name]));
    if (value === undefined) throw new Error(`The request has no value for {${name}} of ${route}.`);
    return value;
  });
  const pairs = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]));
  return pairs.size === 0 ? path : `${path}?${pairs}`;
}
