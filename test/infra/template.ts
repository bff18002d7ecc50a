import type { Template } from 'aws-cdk-lib/assertions';

/** What the tests look at in a resource of a template; all else about it is CloudFormation's. */
export interface Resource {
  readonly Type: string;
  readonly Properties: {
    readonly [name: string]: unknown;
    readonly Description?: string;
    readonly RouteKey?: string;
    readonly Role?: { readonly 'Fn::GetAtt': readonly [string, string] };
    readonly Roles?: readonly { readonly Ref: string }[];
    readonly PolicyDocument?: { readonly Statement: readonly Statement[] };
    readonly Environment?: { readonly Variables: Readonly<Record<string, unknown>> };
  };
}

export interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/** All resources of a type, or of any, by their logical ids. */
export function resourcesOf(template: Template, type?: string): Map<string, Resource> {
  const all = Object.entries(template.toJSON().Resources as Record<string, Resource>);
  return new Map(type === undefined ? all : all.filter(([, resource]) => resource.Type === type));
}

/** The function that a route leads to, by way of its integration. */
export function functionBehind(template: Template, route: string): Resource | undefined {
  const routes = [...resourcesOf(template, 'AWS::ApiGatewayV2::Route').values()];
  const target = routes.find(({ Properties }) => Properties.RouteKey === route)?.Properties.Target;
  const [integration] = namedIn(target, resourcesOf(template, 'AWS::ApiGatewayV2::Integration'));
  return namedIn(integration?.Properties.IntegrationUri, resourcesOf(template, 'AWS::Lambda::Function'))[0];
}

function namedIn(expression: unknown, resources: Map<string, Resource>): Resource[] {
  const text = JSON.stringify(expression ?? null);
  return [...resources].filter(([id]) => text.includes(`"${id}"`)).map(([, resource]) => resource);
}

/** What a function's role allows it, or what all roles allow. */
export function statementsOf(template: Template, handler?: Resource): Statement[] {
  const role = handler?.Properties.Role?.['Fn::GetAtt'][0];
  return [...resourcesOf(template, 'AWS::IAM::Policy').values()]
    .filter(({ Properties }) => handler === undefined || Properties.Roles?.some(({ Ref }) => Ref === role))
    .flatMap(({ Properties }) => Properties.PolicyDocument?.Statement ?? []);
}

/** The actions of statements, one by one. */
export function actionsOf(statements: readonly Statement[]): string[] {
  return statements.flatMap(({ Action }) => Action);
}
