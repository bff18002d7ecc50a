import * as registry from '../../../functions/index.ts';
import type { Endpoint } from '../../../lib/http/declaration.ts';
import { openApiDocument } from '../../../lib/http/openapi.ts';
import { loadSpecifications } from '../../specifications/load.ts';
import type { NamedSpecification } from '../../specifications/specification.ts';

/** Part of JSON Schema that the document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** Part of an operation of an OpenAPI document that says what may be sent and answered. */
interface Description {
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: Required<Content>;
  readonly responses: Readonly<Record<string, Content>>;
}

/** The parts of the OpenAPI document that others refer to, and its operations. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Description>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An operation of the registry, and what the contract says of it. */
export interface SpecifiedOperation {
  readonly operationId: string;
  readonly endpoint: Endpoint;
  readonly specification: NamedSpecification;
  readonly description: Description;
}

/** An operation with a request that succeeds on the target. */
export interface ReadyOperation extends SpecifiedOperation {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; undefined where the operation takes no body. */
  readonly body: string | undefined;
}

export const document = openApiDocument(registry) as unknown as Document;

const endpoints: Readonly<Record<string, Endpoint>> = registry;

/** All operations that have a specification, as all must. */
export const specifiedOperations: readonly SpecifiedOperation[] = (await loadSpecifications()).map((specification) => {
  const { operationId } = specification;
  const endpoint = endpoints[operationId];
  if (endpoint === undefined) throw new Error(`functions/index.ts has no line for ${operationId}.`);
  const { method, path } = endpoint.declaration;
  const description = document.paths[path]?.[method.toLowerCase()];
  if (description === undefined) throw new Error(`The OpenAPI document lacks ${operationId}.`);
  return { operationId, endpoint, specification, description };
});

const byEndpoint = new Map<unknown, SpecifiedOperation>(
  specifiedOperations.map((operation) => [operation.endpoint, operation]),
);

/** Returns the operation of a function, if it has one. */
export function operationOf(handler: unknown): SpecifiedOperation | undefined {
  return byEndpoint.get(handler);
}

/** Returns a schema, or the one that it refers to. */
export function resolved(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = document.components.schemas[schema.$ref.replace('#/components/schemas/', '')];
  if (found === undefined) throw new Error(`The OpenAPI document refers to ${schema.$ref}, which it lacks.`);
  return resolved(found);
}
