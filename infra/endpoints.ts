import { CfnOutput, CfnResource, NestedStack, type Stack } from 'aws-cdk-lib';
import { FunctionUrlAuthType, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { deploymentOf } from '../functions/folders.ts';
import { reads as notFoundReads } from '../functions/service/not-found.ts';
import { readsOf, type Variable } from '../lib/http/declaration.ts';
import { matcherOf, type RouteMatcher } from '../lib/http/route-matcher.ts';
import type { Api } from './api.ts';
import { type DeployedEndpoint, functionOf } from './deployed-endpoints.ts';
import { EndpointFunction } from './endpoint-function.ts';
import { unroutedHandler } from './entry-points.ts';
import { countFailuresOfUrl } from './failures.ts';
import { variablesOf } from './function-environment.ts';
import { createLogGroup } from './logs.ts';
import { type Access, accessOf, accessOfAll, Roles } from './roles.ts';
import { type ApiRoute, routeKeyOf, routesTo } from './routes.ts';
import type { StackSettings } from './settings.ts';
import type { StoreTable } from './table.ts';

/**
 * The maximum number of resources in the stack of a folder, below CloudFormation's limit of 500. If every function needs another
 * resource one day, such as an alias, a folder still fits: its routes cannot move to another stack.
 */
const maxResources = 450;

export interface EndpointsProps {
  readonly endpoints: readonly DeployedEndpoint[];
  /** The directory with the bundles: one directory for each function, with the function's name. */
  readonly bundles: string;
  readonly api: Api;
  readonly table: StoreTable;
  readonly settings: StackSettings;
}

/**
 * Adds the functions of the endpoints and their routes, and the function for requests that match no endpoint.
 *
 * Each folder of `functions/` is a nested stack. The stack of an endpoint depends on its folder alone, so that adding another
 * endpoint or folder never moves it. To move a route, CloudFormation would create the new one before it deletes the old one, and
 * the API refuses two routes with the same path.
 * @returns the nested stacks.
 * @throws Error if a folder has too many endpoints for a stack, or if more concurrency is reserved than the account has.
 */
export function addEndpoints(main: Stack, { endpoints, ...props }: EndpointsProps): NestedStack[] {
  assertReserved(endpoints, props.settings);
  const functionNameOf = (endpoint: DeployedEndpoint) => functionOf(endpoint, props.settings.functions);
  const unrouted = createFunctionGroup(main, unroutedHandler, props);
  const onUnrouted = {
    access: 'read',
    reads: notFoundReads,
    description: 'Answers requests that no route matches.',
  } as const;
  // Below /api, the function tells only callers with a valid token that a path does not exist.
  props.api.addDefaultRoute(main, unroutedHandler, unrouted.add(unroutedHandler, onUnrouted));
  const folders = Map.groupBy(endpoints, (endpoint) => endpoint.folder);
  const { allowOn } = matcherOf(endpoints.map(({ declaration }) => declaration));
  const shared = sharedFunctions(main, endpoints, props);
  const stacks = [...folders].map(([folder, members]) => {
    const stack = new NestedStack(main, folder, { description: `The endpoints of functions/${folder}` });
    const sharedFunction = shared.get(functionNameOf(members[0] as DeployedEndpoint));
    if (sharedFunction !== undefined) {
      const { functionArn } = sharedFunction.handler;
      // The API has one permission for all routes of a shared function: one for each would exceed the size limit of its policy.
      const attributes = { functionArn, sameEnvironment: false, skipPermissions: true };
      const handler = LambdaFunction.fromFunctionAttributes(stack, 'Function', attributes);
      props.api.addRoutes(stack, folder, handler, routesOf(members, endpoints));
      return stack;
    }
    const functions = createFunctionGroup(stack, folder, props);
    for (const [name, served] of Map.groupBy(members, functionNameOf)) {
      const handler = functions.add(name, needsOf(name, served, allowOn));
      props.api.addRoutes(stack, name, handler, routesOf(served, endpoints));
      // Reserved concurrency is the only limit on the costs that callers of a function URL can cause.
      if (!hasFunctionUrl({ folder }) || props.settings.sdkConcurrency === undefined) continue;
      countFailuresOfUrl(stack, functions.logGroup, props.settings);
      // The function checks the token first, as it does behind the gateway.
      const { url } = handler.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
      new CfnOutput(main, `${capitalize(folder)}Url`, { value: url });
    }
    assertFits(stack, folder, members.length);
    return stack;
  });
  return [...[...shared.values()].map(({ stack }) => stack), ...stacks];
}

/** Adds the functions that several folders share, each in a stack of its own. Their routes stay in the stacks of the folders. */
function sharedFunctions(
  main: Stack,
  endpoints: readonly DeployedEndpoint[],
  props: Omit<EndpointsProps, 'endpoints'>,
) {
  const byFunction = Map.groupBy(endpoints, (endpoint) => functionOf(endpoint, props.settings.functions));
  const groups = [...byFunction].filter(
    ([name, members]) => props.settings.functions === 'few' && members.every(({ folder }) => folder !== name),
  );
  return new Map(
    groups.map(([name, members]) => {
      const stack = new NestedStack(main, name, { description: `The function of several folders: ${name}` });
      const handler = createFunctionGroup(stack, name, props).add(name, needsOf(name, members));
      props.api.allowCalls(handler);
      return [name, { stack, handler }];
    }),
  );
}

function hasFunctionUrl({ folder }: Pick<DeployedEndpoint, 'folder'>): boolean {
  return deploymentOf(folder) === 'address';
}

/** The rights, variables and description of a function. */
interface Needs {
  readonly access: Access;
  readonly sendsMail?: boolean;
  readonly reads: readonly Variable[];
  readonly description: string;
  /** The allowed methods of its path, for the header `allow`. */
  readonly allow?: string | undefined;
}

/** Returns the needs of a function, combined from those of its endpoints. */
function needsOf(
  name: string,
  members: readonly DeployedEndpoint[],
  allowOn?: RouteMatcher<unknown>['allowOn'],
): Needs {
  const declarations = members.map(({ declaration }) => declaration);
  const [{ operationId, declaration }] = members as [DeployedEndpoint];
  const isApart = operationId === name;
  const folders = [...new Set(members.map(({ folder }) => `functions/${folder}`))];
  return {
    access: accessOfAll(declarations.map(accessOf)),
    sendsMail: declarations.some(({ sendsMail }) => sendsMail === true),
    reads: [...new Set(declarations.flatMap(readsOf))],
    description: isApart
      ? declaration.summary
      : `Answers the requests to the endpoints of ${folders.length > 1 ? `${folders.length} folders` : folders[0]}.`,
    ...(isApart && declaration.method === 'GET' && { allow: allowOn?.(declaration.path) }),
  };
}

/** Returns the routes to a group of endpoints, without duplicates. */
function routesOf(members: readonly DeployedEndpoint[], all: readonly DeployedEndpoint[]): ApiRoute[] {
  const routes = members.flatMap((member) => routesTo(member, all));
  return [...new Map(routes.map((route) => [routeKeyOf(route), route])).values()];
}

/**
 * Creates a log group, and returns it with a method that adds functions to it. Functions with the same access to the table share
 * a role.
 */
function createFunctionGroup(stack: Construct, group: string, props: Omit<EndpointsProps, 'endpoints'>) {
  const { bundles, table, settings } = props;
  // The log streams are named after their functions, and each line contains its route.
  const logGroup: ILogGroup = createLogGroup(stack, 'Logs', settings);
  const roles = new Roles(stack, 'Roles', { table, logGroup, settings });
  const reservedConcurrency = hasFunctionUrl({ folder: group })
    ? settings.sdkConcurrency
    : settings.reservedConcurrency;
  return {
    logGroup,
    add(name: string, { access, sendsMail = false, reads, description, allow }: Needs): EndpointFunction {
      return new EndpointFunction(stack, name, {
        bundles,
        role: roles.roleFor(access, { sendsMail }),
        logGroup,
        environment: variablesOf(stack, { tableName: table.tableName, group, settings, reads, allow }),
        description,
        settings: { ...settings, reservedConcurrency },
      });
    },
  };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** AWS keeps this much concurrency of an account for functions without reserved concurrency. */
const minUnreserved = 100;

function assertReserved(
  endpoints: readonly DeployedEndpoint[],
  { reservedConcurrency = 0, sdkConcurrency = 0, concurrencyLimit, functions }: StackSettings,
): void {
  const sdkCount = new Set(endpoints.filter(hasFunctionUrl).map(({ folder }) => folder)).size;
  // The additional function is the one for requests that match no route.
  const otherCount =
    new Set(
      endpoints.filter((endpoint) => !hasFunctionUrl(endpoint)).map((endpoint) => functionOf(endpoint, functions)),
    ).size + 1;
  const reserved = otherCount * reservedConcurrency + sdkCount * sdkConcurrency;
  if (reserved === 0 || reserved <= concurrencyLimit - minUnreserved) return;
  throw new Error(
    `reservedConcurrency ${reservedConcurrency} for each of ${otherCount} functions and sdkConcurrency ${sdkConcurrency} for each of ${sdkCount} reserve ${reserved} executions. The account may have ${concurrencyLimit} at the same time (concurrencyLimit), and AWS does not let it reserve the last ${minUnreserved}. Lower or omit these settings, or have AWS raise the account's limit and set concurrencyLimit to it.`,
  );
}

function assertFits(stack: Stack, folder: string, endpoints: number): void {
  const resources = stack.node.findAll().filter((construct) => CfnResource.isCfnResource(construct)).length;
  if (resources > maxResources) {
    throw new Error(
      `The ${endpoints} endpoints of functions/${folder} need ${resources} resources, but a stack may have at most ${maxResources}. Put new endpoints into another folder; deployed ones cannot move.`,
    );
  }
}
