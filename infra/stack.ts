import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import * as registry from '../functions/index.ts';
import { EndpointFunction } from './endpoint-function.ts';
import { notFound } from './entry-points.ts';
import { environmentOf } from './function-environment.ts';
import { accessOf, Roles } from './roles.ts';
import { createTable } from './table.ts';

/** The service: a table, and an HTTP API with a function for each endpoint of the registry. */
export class FlagstaffStack extends Stack {
  /** @param props.bundles the directory that `bundle` has written */
  constructor(scope: Construct, id: string, { bundles }: { bundles: string }) {
    super(scope, id, { description: 'Flagstaff, the administration API of a feature-flag service' });
    // `-c ephemeral=true` is for a stack to try things on: what it stores goes when it goes.
    const ephemeral = String(this.node.tryGetContext('ephemeral')) === 'true';
    const table = createTable(this, { ephemeral });
    // One for all: each line names its route, and one search finds a request whichever function took it.
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    const roles = new Roles(this, 'Roles', { table, logGroup });

    const fallback = new EndpointFunction(this, notFound, {
      bundles,
      // Below /api it says what does not exist only to callers whose token is good.
      role: roles.read,
      logGroup,
      environment: environmentOf(this, table.tableName),
      description: 'Answers what no route takes.',
    });
    const api = new HttpApi(this, 'Api', {
      apiName: id,
      // An HTTP API's own answers have a text that cannot be changed; with a default route it has nothing to answer.
      defaultIntegration: new HttpLambdaIntegration(notFound, fallback),
    });

    for (const [operationId, { declaration }] of Object.entries(registry)) {
      const handler = new EndpointFunction(this, operationId, {
        bundles,
        role: roles[accessOf(declaration)],
        logGroup,
        environment: environmentOf(this, table.tableName, declaration),
        description: declaration.summary,
      });
      api.addRoutes({
        path: declaration.path,
        methods: [HttpMethod[declaration.method]],
        integration: new HttpLambdaIntegration(operationId, handler),
      });
    }

    new CfnOutput(this, 'Url', { value: api.apiEndpoint });
    new CfnOutput(this, 'TableName', { value: table.tableName });
  }
}
