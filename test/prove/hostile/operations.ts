import { readFileSync } from 'node:fs';
import * as registry from '../../../functions/index.ts';
import type { Endpoint } from '../../../lib/http/declaration.ts';
import { openApiDocument } from '../../../lib/http/openapi.ts';

/** As much of a JSON schema as the document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
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
  readonly content?: { readonly 'application/json': { readonly schema: Schema } };
}

/** As much of an operation of an OpenAPI document as tells what may be sent and answered. */
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

/** An operation of the registry, with a request that succeeds on the seed of the tests. */
export interface Operation {
  readonly operationId: string;
  readonly endpoint: Endpoint;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; undefined where the operation takes no body. */
  readonly body: string | undefined;
  readonly description: Description;
}

export const document = openApiDocument(registry) as unknown as Document;

/** All operations of the registry; a new one is among them as soon as it has its file of an event, as all must. */
export const operations: readonly Operation[] = Object.entries<Endpoint>(registry).map(([operationId, endpoint]) => {
  const { method, path } = endpoint.declaration;
  const file = new URL(`../../events/${operationId}.json`, import.meta.url);
  const { rawPath, headers, body } = JSON.parse(readFileSync(file, 'utf8'));
  const description = document.paths[path]?.[method.toLowerCase()];
  if (description === undefined) throw new Error(`The OpenAPI document lacks ${operationId}.`);
  return { operationId, endpoint, method, target: rawPath, headers, body, description };
});

const byEndpoint = new Map<unknown, Operation>(operations.map((operation) => [operation.endpoint, operation]));

/** The operation that a function is of, if it is of one. */
export function operationOf(handler: unknown): Operation | undefined {
  return byEndpoint.get(handler);
}

/** What a schema means, once the reference that it may be is followed. */
export function resolved(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = document.components.schemas[schema.$ref.replace('#/components/schemas/', '')];
  if (found === undefined) throw new Error(`The OpenAPI document refers to ${schema.$ref}, which it lacks.`);
  return resolved(found);
}
