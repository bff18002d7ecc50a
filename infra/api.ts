import { CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  type CfnStage,
  CorsHttpMethod,
  type CorsPreflightOptions,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type Declaration, isOfSdks } from '../lib/http/declaration.ts';
import { accessLogInto } from './access-log.ts';
import { createLogGroup } from './log-group.ts';
import type { Settings } from './settings.ts';

/** Ten thousand instances of SDKs poll 700 times a second, and all of them at once after an outage. */
export const sdkThrottle = { ratePerSecond: 5_000, burst: 5_000 } as const;

/** The HTTP API. Its routes are added one by one, each in the stack of its function. */
export class Api extends Construct {
  readonly http: HttpApi;
  readonly accessLogs: ILogGroup;
  readonly #stage: HttpStage;
  readonly #throttledRoutes: Record<string, object> = {};

  constructor(scope: Construct, id: string, settings: Settings) {
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
   * Adds the route of an endpoint, or the one for what no endpoint takes. An HTTP API's own answers have a text that
   * cannot be changed; with that route it has nothing to answer.
   */
  addRoute(scope: Construct, name: string, handler: IFunction, declaration?: Declaration): void {
    const routeKey = declaration ? HttpRouteKey.with(pathOf(declaration), methodOf(declaration)) : HttpRouteKey.DEFAULT;
    const integration = new HttpLambdaIntegration(name, handler);
    const route = new HttpRoute(scope, `${name}Route`, { httpApi: this.http, routeKey, integration });
    Validations.of(route).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'The function checks the token and its permissions before all else, and a test holds this for every endpoint. ' +
        'An authorizer of the gateway would be another function to pay and to wait for, and answers in words of its own.',
    });
    const throttle = declaration?.throttle ?? (declaration && isOfSdks(declaration) ? sdkThrottle : undefined);
    if (throttle) this.#throttle(route, routeKey.key, throttle);
  }

  #throttle(route: HttpRoute, key: string, { ratePerSecond, burst }: NonNullable<Declaration['throttle']>): void {
    this.#throttledRoutes[key] = { ThrottlingRateLimit: ratePerSecond, ThrottlingBurstLimit: burst };
    const stage = this.#stage.node.defaultChild as CfnStage;
    stage.routeSettings = this.#throttledRoutes;
    // A stage refuses settings of a route that does not exist yet.
    this.#stage.node.addDependency(route);
  }

  #createDomain({ name, certificateArn }: NonNullable<Settings['domain']>): DomainName {
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

/** The key of the route of an endpoint. */
export function routeKeyOf(declaration: Pick<Declaration, 'method' | 'path' | 'audience'>): string {
  return `${methodOf(declaration)} ${pathOf(declaration)}`;
}

const belowPathsOfSdks = /^(\/api\/client|\/api\/frontend|\/ofrep)\/.+/;

/** One route leads to the one function of the endpoints of SDKs for all that is below a path, so that others are left. */
function pathOf(declaration: Pick<Declaration, 'path' | 'audience'>): string {
  return isOfSdks(declaration) ? declaration.path.replace(belowPathsOfSdks, '$1/{proxy+}') : declaration.path;
}

/**
 * A GET gets every method that no other route of its path has. HEAD would otherwise need a route of its own, and an API
 * has at most 300 routes until AWS raises that. The one function of the endpoints of SDKs gets all methods of their paths.
 */
function methodOf(declaration: Pick<Declaration, 'method' | 'audience'>): HttpMethod {
  const { method } = declaration;
  return method === 'GET' || isOfSdks(declaration) ? HttpMethod.ANY : HttpMethod[method];
}

/** Lets scripts of other sites call the API with a token in a header, and read what they may need of an answer. */
function corsFor(origins: readonly string[]): CorsPreflightOptions {
  const { GET, POST, PUT, PATCH, DELETE } = CorsHttpMethod;
  return {
    allowOrigins: [...origins],
    allowMethods: [GET, POST, PUT, PATCH, DELETE],
    allowHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-match'],
    exposeHeaders: ['etag', 'idempotent-replayed', 'location', 'retry-after', 'x-request-id'],
    maxAge: Duration.hours(1),
  };
}
