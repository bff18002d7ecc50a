import { CfnOutput, CfnResource, NestedStack, type Stack } from 'aws-cdk-lib';
import { FunctionUrlAuthType, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { reads as notFoundReads } from '../functions/service/notFound.ts';
import { type Declaration, readsOf, type Variable } from '../lib/http/declaration.ts';
import { matcherOf } from '../lib/http/route-matcher.ts';
import type { Api } from './api.ts';
import type { DeployedEndpoint } from './deployed-endpoints.ts';
import { EndpointFunction } from './endpoint-function.ts';
import { notFound } from './entry-points.ts';
import { countFailuresOfUrl } from './failures.ts';
import { environmentOf } from './function-environment.ts';
import { joinedFolders } from './joined-folders.ts';
import { createLogGroup } from './log-group.ts';
import { type Access, accessOf, accessOfAll, Roles } from './roles.ts';
import { keyOf, routesTo } from './routes.ts';
import type { Settings } from './settings.ts';
import type { StoreTable } from './table.ts';

/**
 * The most resources in the stack of a folder, below the 500 that CloudFormation takes, so that what every function
 * may need one day (an alias, a schedule) does not split a folder whose routes cannot move any more.
 */
export const resourcesMax = 450;

export interface EndpointsProps {
  readonly endpoints: readonly DeployedEndpoint[];
  /** The directory in which each function's bundle has one of its own, named after the function. */
  readonly bundles: string;
  readonly api: Api;
  readonly table: StoreTable;
  readonly settings: Settings;
}

/**
 * Adds a function and a route for each endpoint, and those for what no endpoint takes.
 *
 * Each folder of `functions/` is a nested stack. Where an endpoint lies depends on its folder alone, so that another
 * endpoint or folder never moves it: CloudFormation would create the route in the new stack before it deletes the old
 * one, and the API refuses two routes of the same path.
 * @returns the nested stacks.
 * @throws Error when a folder has more endpoints than a stack holds, or when more is reserved than the account has.
 */
export function addEndpoints(main: Stack, { endpoints, ...props }: EndpointsProps): NestedStack[] {
  const declarations = endpoints.map(({ declaration }) => declaration);
  assertReserved(endpoints, props.settings);
  const unrouted = functionsOf(main, notFound, props);
  // Below /api it says what does not exist only to callers whose token is good.
  props.api.addDefaultRoute(main, notFound, unrouted.add(notFound, 'read', { reads: notFoundReads }));
  const folders = Map.groupBy(endpoints, (endpoint) => endpoint.folder);
  return [...folders].map(([folder, members]) => {
    const stack = new NestedStack(main, folder, { description: `The endpoints of functions/${folder}` });
    const functions = functionsOf(stack, folder, props);
    if (joinedFolders.includes(folder)) {
      const url = functions.addJoined(members);
      if (url !== undefined) new CfnOutput(main, `${capitalized(folder)}Url`, { value: url });
    } else {
      for (const { operationId, declaration } of members) {
        const allow = declaration.method === 'GET' ? matcherOf(declarations).allowOn(declaration.path) : undefined;
        const handler = functions.add(operationId, accessOf(declaration), {
          declaration,
          reads: readsOf(declaration),
          allow,
        });
        props.api.addRoutes(stack, operationId, handler, declaration, routesTo(declaration, declarations));
      }
    }
    assertFits(stack, folder, members.length);
    return stack;
  });
}

/** The further properties of a function; that of an endpoint has its declaration. */
interface OfEndpoint {
  readonly declaration?: Declaration;
  readonly reads: readonly Variable[];
  /** The methods of its path. */
  readonly allow?: string | undefined;
}

/** What adds functions to a stack. They share a log group, and a role with those of the same access to the table. */
function functionsOf(stack: Construct, group: string, props: Omit<EndpointsProps, 'endpoints'>) {
  const { bundles, api, table, settings } = props;
  // A stream of the group is named after the function that writes it, and each line names its route.
  const logGroup: ILogGroup = createLogGroup(stack, 'Logs', settings);
  const roles = new Roles(stack, 'Roles', { table, logGroup, emailSender: settings.emailSender });
  return {
    add(name: string, access: Access, { declaration, reads, allow }: OfEndpoint): IFunction {
      return new EndpointFunction(stack, name, {
        bundles,
        role: roles.roleFor(access, { sendsMail: declaration?.sendsMail === true }),
        logGroup,
        environment: environmentOf(stack, { tableName: table.tableName, group, settings, reads, allow }),
        description: declaration?.summary ?? 'Answers requests that no route matches.',
        settings,
      });
    },

    /** Adds one function for all endpoints of a folder, with the few routes that lead to them; returns its own address. */
    addJoined(members: readonly DeployedEndpoint[]): string | undefined {
      const declarations = members.map(({ declaration }) => declaration);
      const accesses = declarations.map(accessOf);
      const handler = new EndpointFunction(stack, group, {
        bundles,
        role: roles.roleFor(accessOfAll(accesses)),
        logGroup,
        environment: environmentOf(stack, {
          tableName: table.tableName,
          group,
          settings,
          reads: [...new Set(declarations.flatMap(readsOf))],
        }),
        description: `Answers what SDKs ask for: the endpoints of functions/${group}.`,
        settings: { ...settings, reservedConcurrency: settings.sdkConcurrency },
      });
      const routed = new Set<string>();
      for (const { operationId, declaration } of members) {
        const routes = routesTo(declaration, declarations).filter((route) => !routed.has(keyOf(route)));
        for (const route of routes) routed.add(keyOf(route));
        if (routes.length > 0) api.addRoutes(stack, operationId, handler, declaration, routes);
      }
      // Nothing but what is reserved would bound what anybody can make the owner of the account pay.
      if (settings.sdkConcurrency === undefined) return undefined;
      countFailuresOfUrl(stack, logGroup, settings);
      // The function checks the token before all else, as it does behind the gateway.
      return handler.addFunctionUrl({ authType: FunctionUrlAuthType.NONE }).url;
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
  { reservedConcurrency = 0, sdkConcurrency = 0, concurrencyLimit }: Settings,
): void {
  const isJoined = ({ folder }: DeployedEndpoint) => joinedFolders.includes(folder);
  const ofSdks = new Set(endpoints.filter(isJoined).map(({ folder }) => folder)).size;
  // And the function for what no route takes.
  const others = endpoints.filter((each) => !isJoined(each)).length + 1;
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
