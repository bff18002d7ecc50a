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
import { accessLogSettingsFor, createLogGroup } from './logs.ts';
import type { ApiRoute } from './routes.ts';
import type { StackSettings } from './settings.ts';

/** The HTTP API. Each route is added in the stack of its function. */
export class Api extends Construct {
  readonly http: HttpApi;
  readonly accessLogs: ILogGroup;
  readonly #stage: HttpStage;
  readonly #throttledRoutes: Record<string, object> = {};

  constructor(scope: Construct, id: string, settings: StackSettings) {
    super(scope, id);
    const { corsOrigins, domain, throttle, isApiClosed } = settings;
    this.http = new HttpApi(this, 'Http', {
      apiName: Stack.of(this).stackName,
      createDefaultStage: false,
      // A custom domain is the only way in, so that all traffic uses its name and its certificate.
      disableExecuteApiEndpoint: domain !== undefined || isApiClosed,
      ...(corsOrigins.length > 0 && { corsPreflight: corsFor(corsOrigins) }),
    });
    // The API's own address always takes TLS 1.2 and above, and does not answer plain HTTP.
    const domainName = domain && this.#createDomain(domain);
    this.accessLogs = createLogGroup(this, 'AccessLogs', settings);
    this.#stage = new HttpStage(this, 'Stage', {
      httpApi: this.http,
      autoDeploy: true,
      throttle: { rateLimit: throttle.ratePerSecond, burstLimit: throttle.burst },
      accessLogSettings: accessLogSettingsFor(this.accessLogs),
      ...(domainName && { domainMapping: { domainName } }),
    });
    if (!isApiClosed) {
      new CfnOutput(Stack.of(this), 'Url', {
        value: domain === undefined ? this.http.apiEndpoint : `https://${domain.name}`,
      });
    }
  }

  /**
   * Adds the route for requests that match no endpoint. Without it, the HTTP API would answer them itself, with a text that
   * cannot be changed.
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

  /** Lets the API call a function, for all of its routes. */
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
        'The function checks the token and its permissions first, and a test checks this for every endpoint. ' +
        'An authorizer of the gateway would add the cost and latency of another function, and errors in another format.',
    });
    return route;
  }

  #throttle(route: HttpRoute, key: string, { ratePerSecond, burst }: NonNullable<Declaration['throttle']>): void {
    this.#throttledRoutes[key] = { ThrottlingRateLimit: ratePerSecond, ThrottlingBurstLimit: burst };
    const stage = this.#stage.node.defaultChild as CfnStage;
    stage.routeSettings = this.#throttledRoutes;
    // A stage refuses settings for a route that does not exist yet.
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

/** Further request headers of the SDKs for browsers. */
const sdkHeaders = ['if-none-match', 'unleash-appname', 'unleash-connection-id', 'unleash-sdk', 'x-api-key'];

/** Lets scripts of other sites call the API with a token in a header, and read the response headers that they may need. */
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
