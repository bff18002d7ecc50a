import type { Template } from 'aws-cdk-lib/assertions';

/** Parts of a resource of a template that the tests read. */
export interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly Properties: {
    readonly [name: string]: unknown;
    readonly Description?: string;
    readonly RouteKey?: string;
    readonly Role?: { readonly 'Fn::GetAtt': readonly [string, string] };
    readonly Roles?: readonly { readonly Ref: string }[];
    readonly PolicyDocument?: { readonly Statement: readonly Statement[] };
    readonly Environment?: { readonly Variables: Readonly<Record<string, unknown>> };
    readonly LoggingConfig?: { readonly LogGroup: { readonly Ref: string }; readonly SystemLogLevel?: string };
  };
}

export interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/** The resources of templates by their types and logical ids: a template of hundreds of functions is asked for thousands. */
const known = new WeakMap<Template, ReadonlyMap<string, ReadonlyMap<string, Resource>>>();

/** All resources of a type, or of any, by their logical ids. */
export function resourcesOf(template: Template, type = 'any'): ReadonlyMap<string, Resource> {
  const byType = known.get(template) ?? sorted(template);
  known.set(template, byType);
  return byType.get(type) ?? new Map();
}

function sorted(template: Template): ReadonlyMap<string, ReadonlyMap<string, Resource>> {
  const all = Object.entries(template.toJSON().Resources as Record<string, Resource>);
  const byType = Map.groupBy(all, ([, { Type }]) => Type);
  return new Map([['any', new Map(all)], ...Array.from(byType, ([type, some]) => [type, new Map(some)] as const)]);
}

/** The only resource of a type. */
export function theOnly(template: Template, type: string): Resource {
  const [first, ...others] = resourcesOf(template, type).values();
  if (first === undefined || others.length > 0) throw new Error(`There is not exactly one ${type}.`);
  return first;
}

/** The function that a route leads to, by way of its integration. */
export function functionBehind(template: Template, route: string): Resource | undefined {
  return functionsByRoute(template).get(route);
}

const knownFunctions = new WeakMap<Template, ReadonlyMap<string, Resource | undefined>>();

function functionsByRoute(template: Template): ReadonlyMap<string, Resource | undefined> {
  const found = knownFunctions.get(template);
  if (found !== undefined) return found;
  const integrations = resourcesOf(template, 'AWS::ApiGatewayV2::Integration');
  const functions = resourcesOf(template, 'AWS::Lambda::Function');
  const routes = [...resourcesOf(template, 'AWS::ApiGatewayV2::Route').values()].map(({ Properties }) => {
    const [integration] = namedIn(Properties.Target, integrations);
    return [Properties.RouteKey ?? '', namedIn(integration?.Properties.IntegrationUri, functions)[0]] as const;
  });
  const made = new Map(routes);
  knownFunctions.set(template, made);
  return made;
}

/** The functions that callers reach, each behind a route. */
export function functionsOfRoutes(template: Template): Resource[] {
  return [...functionsByRoute(template).values()].filter((each) => each !== undefined);
}

function namedIn(expression: unknown, resources: ReadonlyMap<string, Resource>): Resource[] {
  const texts = JSON.stringify(expression ?? null).matchAll(/"([^"]*)"/g);
  const ids = new Set(Array.from(texts, ([, text = '']) => text));
  return [...ids].flatMap((id) => resources.get(id) ?? []);
}

/** Returns the statements of a function's role, or of all roles. */
export function statementsOf(template: Template, handler?: Resource): Statement[] {
  const role = handler?.Properties.Role?.['Fn::GetAtt'][0];
  // A policy that grows too long for a role is continued in a managed one.
  return ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy']
    .flatMap((type) => [...resourcesOf(template, type).values()])
    .filter(({ Properties }) => handler === undefined || Properties.Roles?.some(({ Ref }) => Ref === role))
    .flatMap(({ Properties }) => Properties.PolicyDocument?.Statement ?? []);
}

/** The actions of statements, one by one. */
export function actionsOf(statements: readonly Statement[]): string[] {
  return statements.flatMap(({ Action }) => Action);
}

/** The resources of statements, one by one. */
export function targetsOf(statements: readonly Statement[]): unknown[] {
  return statements.flatMap(({ Resource }) => Resource);
}
