import type { GenericSchema } from 'valibot';
import { errorStatuses } from '../errors.ts';
import { type Declaration, type Endpoint, isConditional, isMutation, permissionsOf } from './declaration.ts';
import examples from './examples.json' with { type: 'json' };
import { componentSchemas, parametersOf, schemaOf } from './openapi-schemas.ts';
import { version } from './version.ts';

/** The endpoints by operationId. */
export type Registry = Readonly<Record<string, Endpoint>>;

type Json = Record<string, unknown>;

/** An example of an operation in the document, from a real call. `npm run generate` writes it. */
interface Example {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly reply?: unknown;
}

const exampleOf = (operationId: string): Example => (examples as Readonly<Record<string, Example>>)[operationId] ?? {};

const description = `A feature-flag service that is compatible with Unleash: it has Unleash's admin API, the APIs of its SDKs, and OpenFeature's OFREP.

- Every error has the schema \`Error\`. \`details\` lists all problems, with their paths in the body.
- Unknown properties are ignored.
- Types are strict. Only parameters of strategies, values of constraints and tags, descriptions and icons may also be numbers or booleans, which are stored as text.
- A path with GET also supports HEAD. OPTIONS returns the methods of a path. Any other method gets a 405 with \`Allow\`.
- Send an \`Idempotency-Key\` with a change to repeat it safely: for a day, the same request gets the first reply.
- If a reply has an \`ETag\`, send it as \`If-Match\` with a change. The change is refused with 412 if the object has changed since. An operation that does not support \`If-Match\` refuses it.
`;

const tokenDescription = `An admin token (\`*:*.\` and a secret) or a personal access token (\`user:\` and a secret). Below \`/api/client\` a
client token, and below \`/api/frontend\` a frontend token (both \`<project>:<environment>.\` and a secret). \`Bearer \` before the
token is optional.`;

/** Returns the OpenAPI 3.1 document of the whole API, from the declarations alone. */
export function openApiDocument(registry: Registry): Json {
  const operations = Object.entries(registry).toSorted(([, a], [, b]) =>
    a.declaration.path < b.declaration.path ? -1 : 1,
  );
  const paths: Record<string, Json> = {};
  for (const [operationId, { declaration }] of operations) {
    paths[declaration.path] ??= {};
    Object.assign(paths[declaration.path] as Json, {
      [declaration.method.toLowerCase()]: operation(operationId, declaration),
    });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Flagstaff',
      version,
      description,
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    tags: groupsOf(registry).map((name) => ({ name })),
    paths,
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'Authorization', description: tokenDescription },
      },
    },
  };
}

/** Lists the tags by name; those of the service itself come last. */
function groupsOf(registry: Registry): string[] {
  const groups = new Set(Object.values(registry).map(({ declaration: { group } }) => group));
  return [...groups].toSorted((a, b) => Number(a === 'Service') - Number(b === 'Service') || (a < b ? -1 : 1));
}

function operation(operationId: string, declaration: Declaration): Json {
  const { group, summary, deprecated, audience, body } = declaration;
  const example = exampleOf(operationId);
  const text = [declaration.description, needOf(declaration)].filter((each) => each !== undefined);
  return {
    operationId,
    tags: [group],
    summary,
    ...(text.length > 0 && { description: text.join(' ') }),
    ...(deprecated && { deprecated }),
    ...(audience === 'public' && { security: [] }),
    parameters: [
      ...pathParameters(declaration, example),
      ...queryParameters(declaration),
      ...headerParameters(declaration),
    ],
    ...(body && {
      requestBody: {
        required: !declaration.bodyOptional,
        // Some generators support only one content type per body.
        ...(declaration.bodyType && { description: `The content type may also be ${declaration.bodyType}.` }),
        content: contentOf(body, example.body, 'application/json'),
      },
    }),
    responses: responses(declaration, example),
  };
}

const tokensNeeded = {
  public: 'no token',
  client: 'a client token',
  frontend: 'a frontend token',
  evaluation: 'a client token or a frontend token',
} as const;

/** Returns a sentence about the token or permission that a caller needs; undefined if it depends on more than that. */
function needOf(declaration: Declaration): string | undefined {
  const { audience = 'admin', permission, signedBy } = declaration;
  if (signedBy !== undefined) return undefined;
  if (audience !== 'admin') return `Needs ${tokensNeeded[audience]}.`;
  if (permission === undefined) return 'Needs no permission.';
  const anyOf = permissionsOf(declaration);
  return anyOf.length > 0 ? `Needs the permission ${anyOf.join(' or ')}.` : undefined;
}

function pathParameters({ path, params }: Declaration, { params: examples = {} }: Example): Json[] {
  const properties = params && parametersOf(params).properties;
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: properties?.[name] ?? { type: 'string' },
    ...(examples[name] !== undefined && { example: String(examples[name]) }),
  }));
}

function queryParameters({ query }: Declaration): Json[] {
  if (query === undefined) return [];
  const { properties, required } = parametersOf(query);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function headerParameters(declaration: Declaration): Json[] {
  if (!isMutation(declaration)) return [];
  const inHeader = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  });
  const key = inHeader(
    'Idempotency-Key',
    'A new key for each request: 1 to 255 visible ASCII characters. Within 24 hours, the same request with the same key is carried out only once.',
  );
  if (!declaration.etag) return [key];
  return [
    key,
    inHeader(
      'If-Match',
      'One or more ETags. The request is refused with 412 if the ETag of the object is none of them.',
    ),
  ];
}

function responses(declaration: Declaration, { reply }: Example): Json {
  const { contentType = 'application/json' } = declaration;
  const hasEtag = declaration.etag === true || isConditional(declaration);
  const all = { ...declaration.responses, ...(isConditional(declaration) && { 304: null }) };
  const replies = Object.entries(all).map(([status, schema]) => [
    status,
    {
      description: status === '304' ? 'The ETag is that in If-None-Match.' : 'Success.',
      ...(hasEtag && { headers: { ETag: etagHeader } }),
      ...(schema && {
        content: {
          ...contentOf(schema, reply, contentType),
          ...(declaration.csv && { 'text/csv': { schema: { type: 'string' } } }),
        },
      }),
    },
  ]);
  const schema = errorSchemas[declaration.protocol ?? 'ours'];
  const content = {
    [declaration.protocol === 'SCIM' ? 'application/scim+json' : 'application/json']: { schema },
    ...(declaration.errorPage && { 'text/html': { schema: { type: 'string' } } }),
  };
  const errors = errorStatusesOf(declaration).map((status) => [
    status,
    { description: errorNamesOf(status).join(', '), content },
  ]);
  return Object.fromEntries([...replies, ...errors]);
}

const etagHeader = {
  description: 'The version of the returned object, or of the content of a list.',
  schema: { type: 'string' },
};
const errorSchemas = {
  ours: { $ref: '#/components/schemas/Error' },
  OFREP: { $ref: '#/components/schemas/OfrepError' },
  SCIM: { $ref: '#/components/schemas/ScimError' },
  MCP: { $ref: '#/components/schemas/Error' },
};

/** Returns the error statuses of an operation: its own, and those that follow from its declaration. @internal */
export function errorStatusesOf(declaration: Declaration): number[] {
  const { path, query, body, audience } = declaration;
  const { errors = path.includes('{') ? [404] : [] } = declaration;
  const statuses = new Set<number>([...errors, 413, 429, 500, 503]);
  // Tokens of another audience also get a 403.
  if (audience !== 'public') statuses.add(401).add(403);
  if (body !== undefined || declaration.takesForm) statuses.add(400).add(415);
  // Requests that a page of another origin made a browser send also get a 403 or a 415.
  if (isMutation(declaration)) statuses.add(400).add(403).add(412).add(415);
  if (query !== undefined || path.includes('{')) statuses.add(400);
  // Callers who may not see a private project get a 404.
  if (path.includes('{projectId}') && errors.length > 0) statuses.add(404);
  return [...statuses].toSorted((a, b) => a - b);
}

function errorNamesOf(status: number): string[] {
  return Object.entries(errorStatuses).flatMap(([name, errorStatus]) => (errorStatus === status ? [name] : []));
}

function contentOf(schema: GenericSchema, example: unknown, type: string): Json {
  return { [type]: { schema: schemaOf(schema), ...(example !== undefined && { example }) } };
}
