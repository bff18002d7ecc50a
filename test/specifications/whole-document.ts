import * as registry from '../../functions/index.ts';
import { openApiDocument } from '../../lib/http/openapi.ts';

let made: ReturnType<typeof openApiDocument> | undefined;

/** The OpenAPI document of all operations, which takes long to make: once for all tests of a process. */
export function wholeDocument() {
  made ??= openApiDocument(registry);
  return made;
}

/** Lists the objects in a JSON value, the value itself included. It leaves out examples, which describe nothing. */
export function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const [name, each] of Object.entries(value)) if (name !== 'example') yield* objectsIn(each);
}
