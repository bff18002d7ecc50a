import { NestedStack, type Stack } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { allowOn } from '../lib/http/allow.ts';
import type { Declaration } from '../lib/http/declaration.ts';
import { alarmOnCrashes } from './alarms.ts';
import type { Api } from './api.ts';
import type { DeployedEndpoint } from './deployed-endpoints.ts';
import { EndpointFunction } from './endpoint-function.ts';
import { notFound } from './entry-points.ts';
import { environmentOf } from './function-environment.ts';
import { createLogGroup } from './log-group.ts';
import { nestedStackOf } from './placement.ts';
import { type Access, accessOf, Roles } from './roles.ts';
import type { Settings } from './settings.ts';

export interface EndpointsProps {
  readonly endpoints: readonly DeployedEndpoint[];
  /** The directory in which each function's bundle has one of its own, named after the function. */
  readonly bundles: string;
  readonly api: Api;
  readonly table: Table;
  readonly alarmTopic: ITopic;
  readonly settings: Settings;
}

/** Adds a function and a route for each endpoint, and those for what no endpoint takes. */
export function addEndpoints(main: Stack, { endpoints, ...props }: EndpointsProps): void {
  const declarations = endpoints.map(({ declaration }) => declaration);
  const stacks = Map.groupBy(endpoints, ({ folder }) => nestedStackOf(folder));
  const mainRoles = new Roles(main, 'Roles', props);
  // Below /api it says what does not exist only to callers whose token is good.
  addFunction(main, notFound, { ...props, roles: mainRoles, access: 'read' });
  for (const [id, members] of stacks) {
    const stack = id === undefined ? main : new NestedStack(main, id, { description: `The functions of ${id}` });
    const roles = id === undefined ? mainRoles : new Roles(stack, 'Roles', props);
    for (const { operationId, declaration } of members) {
      const allow = declaration.method === 'GET' ? allowOn(declaration.path, declarations) : undefined;
      addFunction(stack, operationId, { ...props, roles, access: accessOf(declaration), declaration, allow });
    }
  }
}

interface FunctionProps extends Omit<EndpointsProps, 'endpoints'> {
  readonly roles: Roles;
  readonly access: Access;
  /** Missing for what no endpoint takes. */
  readonly declaration?: Declaration;
  readonly allow?: string | undefined;
}

function addFunction(stack: Construct, name: string, props: FunctionProps): void {
  const { bundles, api, table, alarmTopic, settings, roles, access, declaration, allow } = props;
  const logGroup = createLogGroup(stack, `${name}Logs`, settings);
  const handler = new EndpointFunction(stack, name, {
    bundles,
    role: roles.roleFor(access, logGroup),
    logGroup,
    environment: environmentOf(stack, table.tableName, declaration, allow),
    description: declaration?.summary ?? 'Answers what no route takes.',
    settings,
  });
  api.addRoute(stack, name, handler, declaration);
  alarmOnCrashes(handler, alarmTopic);
}
