import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { errorStatuses } from '../errors.ts';
import { components } from '../schemas/components.ts';
import { type Declaration, type Endpoint, isMutation, permissionsOf } from './declaration.ts';
import { version } from './version.ts';

/** The endpoints by operationId. */
export type Registry = Readonly<Record<string, Endpoint>>;

type Json = Record<string, unknown>;

const conversion = {
  target: 'draft-2020-12',
  // What a schema fills in or turns into something else is described as it is sent.
  typeMode: 'input',
  // Rules between fields have no form in JSON Schema; the description leaves them out.
  errorMode: 'ignore',
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
} as const satisfies ConversionConfig;

/** The whole surface as an OpenAPI 3.1 document, from the declarations alone. */
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
      description: "The administration API of a feature-flag service, compatible with Unleash's /api/admin.",
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths,
    components: {
      schemas: toJsonSchemaDefs(components, conversion),
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Authorization' } },
    },
  };
}

function operation(operationId: string, declaration: Declaration): Json {
  const { group, summary, deprecated, audience, body } = declaration;
  const anyOf = permissionsOf(declaration);
  const description = [
    declaration.description,
    anyOf.length > 0 ? `Needs the permission ${anyOf.join(' or ')}.` : undefined,
  ].filter((each) => each !== undefined);
  return {
    operationId,
    tags: [group],
    summary,
    ...(description.length > 0 && { description: description.join(' ') }),
    ...(deprecated && { deprecated }),
    ...(audience === 'public' && { security: [] }),
    parameters: [...pathParameters(declaration), ...queryParameters(declaration), ...headerParameters(declaration)],
    ...(body && {
      requestBody: { required: true, content: contentOf(body, 'application/json', declaration.bodyType) },
    }),
    responses: responses(declaration),
  };
}

function pathParameters({ path }: Declaration): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: Declaration): Json[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(query) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
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
  const key = inHeader('Idempotency-Key', 'The same request with the same key is carried out once, for a day.');
  if (!declaration.etag) return [key];
  return [key, inHeader('If-Match', 'The ETag that what is changed must still have; 412 otherwise.')];
}

function responses(declaration: Declaration): Json {
  const { etag, contentType = 'application/json' } = declaration;
  const replies = Object.entries(declaration.responses).map(([status, schema]) => [
    status,
    {
      description: status === '304' ? 'What If-None-Match names is unchanged.' : 'Done.',
      ...(etag && { headers: { ETag: etagHeader } }),
      ...(schema && { content: contentOf(schema, contentType) }),
    },
  ]);
  const errors = errorStatusesOf(declaration).map((status) => [
    status,
    { description: errorNamesOf(status).join(', '), content: { 'application/json': { schema: errorSchema } } },
  ]);
  return Object.fromEntries([...replies, ...errors]);
}

const etagHeader = { description: 'The version of what the reply shows.', schema: { type: 'string' } };
const errorSchema = { $ref: '#/components/schemas/Error' };

/** The statuses with which an operation can fail: its own, and those that follow from its declaration. */
export function errorStatusesOf(declaration: Declaration): number[] {
  const { errors = [], path, query, body, audience } = declaration;
  const statuses = new Set<number>([...errors, 413, 429, 500, 503]);
  if (audience !== 'public') statuses.add(401);
  if (permissionsOf(declaration).length > 0) statuses.add(403);
  if (body !== undefined) statuses.add(400).add(415);
  if (isMutation(declaration)) statuses.add(400).add(412);
  if (query !== undefined || path.includes('{')) statuses.add(400);
  return [...statuses].toSorted((a, b) => a - b);
}

function errorNamesOf(status: number): string[] {
  return Object.entries(errorStatuses).flatMap(([name, each]) => (each === status ? [name] : []));
}

function contentOf(schema: GenericSchema, ...types: readonly (string | undefined)[]): Json {
  const content = { schema: schemaOf(schema) };
  return Object.fromEntries(types.flatMap((type) => (type === undefined ? [] : [[type, content]])));
}

function schemaOf(schema: GenericSchema): Json {
  const {
    $schema: _dialect,
    $defs: _definitions,
    ...rest
  } = toJsonSchema(schema, { ...conversion, definitions: components });
  return rest;
}
