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
import { createLogGroup } from './log-group.ts';
import { type Access, accessOf, accessOfAll, Roles } from './roles.ts';
import { type ApiRoute, routeKeyOf, routesTo } from './routes.ts';
import type { StackSettings } from './settings.ts';
import type { StoreTable } from './table.ts';

/**
 * The most resources in the stack of a folder, below the 500 that CloudFormation takes, so that what every function
 * may need one day (an alias, a schedule) does not split a folder whose routes cannot move any more.
 */
const resourcesMax = 450;

export interface EndpointsProps {
  readonly endpoints: readonly DeployedEndpoint[];
  /** The directory in which each function's bundle has one of its own, named after the function. */
  readonly bundles: string;
  readonly api: Api;
  readonly table: StoreTable;
  readonly settings: StackSettings;
}

/**
 * Adds the functions of the endpoints and their routes, and those for what no endpoint takes.
 *
 * Each folder of `functions/` is a nested stack. Where an endpoint lies depends on its folder alone, so that another
 * endpoint or folder never moves it: CloudFormation would create the route in the new stack before it deletes the old
 * one, and the API refuses two routes of the same path.
 * @returns the nested stacks.
 * @throws Error when a folder has more endpoints than a stack holds, or when more is reserved than the account has.
 */
export function addEndpoints(main: Stack, { endpoints, ...props }: EndpointsProps): NestedStack[] {
  assertReserved(endpoints, props.settings);
  const functionNameOf = (endpoint: DeployedEndpoint) => functionOf(endpoint, props.settings.functions);
  const unrouted = functionsOf(main, unroutedHandler, props);
  const onUnrouted = {
    access: 'read',
    reads: notFoundReads,
    description: 'Answers requests that no route matches.',
  } as const;
  // Below /api it says what does not exist only to callers whose token is good.
  props.api.addDefaultRoute(main, unroutedHandler, unrouted.add(unroutedHandler, onUnrouted));
  const folders = Map.groupBy(endpoints, (endpoint) => endpoint.folder);
  const { allowOn } = matcherOf(endpoints.map(({ declaration }) => declaration));
  const shared = sharedFunctions(main, endpoints, props);
  const stacks = [...folders].map(([folder, members]) => {
    const stack = new NestedStack(main, folder, { description: `The endpoints of functions/${folder}` });
    const elsewhere = shared.get(functionNameOf(members[0] as DeployedEndpoint));
    if (elsewhere !== undefined) {
      const { functionArn } = elsewhere.handler;
      // The API may call it already, by whatever route leads to it: a right for each would be more than a function takes.
      const attributes = { functionArn, sameEnvironment: false, skipPermissions: true };
      const handler = LambdaFunction.fromFunctionAttributes(stack, 'Function', attributes);
      props.api.addRoutes(stack, folder, handler, routesOf(members, endpoints));
      return stack;
    }
    const functions = functionsOf(stack, folder, props);
    for (const [name, ofFunction] of Map.groupBy(members, functionNameOf)) {
      const handler = functions.add(name, needsOf(name, ofFunction, allowOn));
      props.api.addRoutes(stack, name, handler, routesOf(ofFunction, endpoints));
      // Nothing but what is reserved would bound what anybody can make the owner of the account pay.
      if (!hasAddress({ folder }) || props.settings.sdkConcurrency === undefined) continue;
      countFailuresOfUrl(stack, functions.logGroup, props.settings);
      // The function checks the token before all else, as it does behind the gateway.
      const { url } = handler.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
      new CfnOutput(main, `${capitalized(folder)}Url`, { value: url });
    }
    assertFits(stack, folder, members.length);
    return stack;
  });
  return [...[...shared.values()].map(({ stack }) => stack), ...stacks];
}

/** Adds the functions that several folders share, each in a stack of its own; the routes to them stay where they are. */
function sharedFunctions(
  main: Stack,
  endpoints: readonly DeployedEndpoint[],
  props: Omit<EndpointsProps, 'endpoints'>,
) {
  const byFunction = Map.groupBy(endpoints, (each) => functionOf(each, props.settings.functions));
  const several = [...byFunction].filter(
    ([name, members]) => props.settings.functions === 'few' && members.every(({ folder }) => folder !== name),
  );
  return new Map(
    several.map(([name, members]) => {
      const stack = new NestedStack(main, name, { description: `The function of several folders: ${name}` });
      const handler = functionsOf(stack, name, props).add(name, needsOf(name, members));
      props.api.allowCalls(handler);
      return [name, { stack, handler }];
    }),
  );
}

function hasAddress({ folder }: Pick<DeployedEndpoint, 'folder'>): boolean {
  return deploymentOf(folder) === 'address';
}

/** All that a function needs, and what is said of it. */
interface Needs {
  readonly access: Access;
  readonly sendsMail?: boolean;
  readonly reads: readonly Variable[];
  readonly description: string;
  /** The methods of its path. */
  readonly allow?: string | undefined;
}

/** The needs of the one endpoint of a function, or those of all that it has. */
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

/** The routes that lead to some endpoints. */
function routesOf(members: readonly DeployedEndpoint[], all: readonly DeployedEndpoint[]): ApiRoute[] {
  const routes = members.flatMap((member) => routesTo(member, all));
  return [...new Map(routes.map((route) => [routeKeyOf(route), route])).values()];
}

/**
 * Returns a way to add functions to a stack. They share a log group, and a role with those of the same access to the
 * table.
 */
function functionsOf(stack: Construct, group: string, props: Omit<EndpointsProps, 'endpoints'>) {
  const { bundles, table, settings } = props;
  // A stream of the group is named after the function that writes it, and each line names its route.
  const logGroup: ILogGroup = createLogGroup(stack, 'Logs', settings);
  const roles = new Roles(stack, 'Roles', { table, logGroup, emailSender: settings.emailSender });
  const reservedConcurrency = hasAddress({ folder: group }) ? settings.sdkConcurrency : settings.reservedConcurrency;
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

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** AWS lets an account reserve all but so many executions, which are for functions that reserve none. */
const unreservedMin = 100;

function assertReserved(
  endpoints: readonly DeployedEndpoint[],
  { reservedConcurrency = 0, sdkConcurrency = 0, concurrencyLimit, functions }: StackSettings,
): void {
  const ofSdks = new Set(endpoints.filter(hasAddress).map(({ folder }) => folder)).size;
  // And the function for what no route takes.
  const others =
    new Set(endpoints.filter((each) => !hasAddress(each)).map((each) => functionOf(each, functions))).size + 1;
  const reserved = others * reservedConcurrency + ofSdks * sdkConcurrency;
  if (reserved === 0 || reserved <= concurrencyLimit - unreservedMin) return;
  throw new Error(
    `reservedConcurrency ${reservedConcurrency} for each of ${others} functions and sdkConcurrency ${sdkConcurrency} for each of ${ofSdks} reserve ${reserved} executions. Of the ${concurrencyLimit} that the account may have at once (concurrencyLimit), ${unreservedMin} cannot be reserved: choose less or none, or have the account's limit raised and say so with concurrencyLimit.`,
  );
}

function assertFits(stack: Stack, folder: string, endpoints: number): void {
  const resources = stack.node.findAll().filter((each) => CfnResource.isCfnResource(each)).length;
  if (resources > resourcesMax) {
    throw new Error(
      `The ${endpoints} endpoints of functions/${folder} make ${resources} resources, and a stack is to have at most ${resourcesMax}. Put the new ones into another folder; deployed ones cannot move.`,
    );
  }
}
