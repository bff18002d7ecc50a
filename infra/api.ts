import { CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  type CfnStage,
  CorsHttpMethod,
  type CorsPreflightOptions,
  DomainName,
  HttpApi,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Declaration } from '../lib/http/declaration.ts';
import { accessLogInto } from './access-log.ts';
import { createLogGroup } from './log-group.ts';
import type { ApiRoute } from './routes.ts';
import type { StackSettings } from './settings.ts';

/** The HTTP API. Its routes are added one by one, each in the stack of its function. */
export class Api extends Construct {
  readonly http: HttpApi;
  readonly accessLogs: ILogGroup;
  readonly #stage: HttpStage;
  readonly #throttledRoutes: Record<string, object> = {};

  constructor(scope: Construct, id: string, settings: StackSettings) {
    super(scope, id);
    const { corsOrigins, domain, throttle } = settings;
    this.http = new HttpApi(this, 'Http', {
      apiName: Stack.of(this).stackName,
      createDefaultStage: false,
      // With a domain of one's own there is one way in, and that is the one whose name and certificate are known.
      disableExecuteApiEndpoint: domain !== undefined,
      ...(corsOrigins.length > 0 && { corsPreflight: corsFor(corsOrigins) }),
    });
    // The API's own address takes TLS 1.2 and above, and nothing can change that; plain HTTP is not answered.
    const domainName = domain && this.#createDomain(domain);
    this.accessLogs = createLogGroup(this, 'AccessLogs', settings);
    this.#stage = new HttpStage(this, 'Stage', {
      httpApi: this.http,
      autoDeploy: true,
      throttle: { rateLimit: throttle.ratePerSecond, burstLimit: throttle.burst },
      accessLogSettings: accessLogInto(this.accessLogs),
      ...(domainName && { domainMapping: { domainName } }),
    });
    new CfnOutput(Stack.of(this), 'Url', {
      value: domain === undefined ? this.http.apiEndpoint : `https://${domain.name}`,
    });
  }

  /**
   * Adds the route for what no endpoint takes. An HTTP API's own answers have a text that cannot be changed; with this
   * route it has nothing to answer.
   */
  addDefaultRoute(scope: Construct, name: string, handler: IFunction): void {
    this.#addRoute(scope, `${name}Route`, new HttpLambdaIntegration(name, handler), HttpRouteKey.DEFAULT);
  }

  /** Adds routes that lead to a function. */
  addRoutes(scope: Construct, name: string, handler: IFunction, routes: readonly ApiRoute[]): void {
    const integration = new HttpLambdaIntegration(name, handler);
    for (const { method, path, id, throttle } of routes) {
      const key = HttpRouteKey.with(path, method);
      const route = this.#addRoute(scope, id, integration, key);
      if (throttle) this.#throttle(route, key.key, throttle);
    }
  }

  /** Lets the API call a function by all its routes. */
  allowCalls(handler: IFunction): void {
    handler.addPermission('Api', {
      principal: new ServicePrincipal('apigateway.amazonaws.com'),
      sourceArn: this.http.arnForExecuteApi(),
    });
  }

  #addRoute(scope: Construct, id: string, integration: HttpLambdaIntegration, routeKey: HttpRouteKey): HttpRoute {
    const route = new HttpRoute(scope, id, { httpApi: this.http, routeKey, integration });
    Validations.of(route).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'The function checks the token and its permissions before all else, and a test holds this for every endpoint. ' +
        'An authorizer of the gateway would be another function to pay and to wait for, and answers in words of its own.',
    });
    return route;
  }

  #throttle(route: HttpRoute, key: string, { ratePerSecond, burst }: NonNullable<Declaration['throttle']>): void {
    this.#throttledRoutes[key] = { ThrottlingRateLimit: ratePerSecond, ThrottlingBurstLimit: burst };
    const stage = this.#stage.node.defaultChild as CfnStage;
    stage.routeSettings = this.#throttledRoutes;
    // A stage refuses settings of a route that does not exist yet.
    this.#stage.node.addDependency(route);
  }

  #createDomain({ name, certificateArn }: NonNullable<StackSettings['domain']>): DomainName {
    const domainName = new DomainName(this, 'Domain', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    new CfnOutput(Stack.of(this), 'DomainTarget', {
      description: 'The target of the CNAME or alias record of the domain',
      value: domainName.regionalDomainName,
    });
    return domainName;
  }
}

/** Headers that the SDKs of pages send besides. */
const sdkHeaders = ['if-none-match', 'unleash-appname', 'unleash-connection-id', 'unleash-sdk', 'x-api-key'];

/** Lets scripts of other sites call the API with a token in a header, and read what they may need of an answer. */
function corsFor(origins: readonly string[]): CorsPreflightOptions {
  const { GET, POST, PUT, PATCH, DELETE } = CorsHttpMethod;
  return {
    allowOrigins: [...origins],
    allowMethods: [GET, POST, PUT, PATCH, DELETE],
    allowHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-match', ...sdkHeaders],
    exposeHeaders: ['etag', 'idempotent-replayed', 'location', 'retry-after', 'warning', 'x-request-id'],
    maxAge: Duration.hours(1),
  };
}
