import * as registry from '../../functions/index.ts';
import { openApiDocument } from '../../lib/http/openapi.ts';

let made: ReturnType<typeof openApiDocument> | undefined;

/** The OpenAPI document of all operations, which takes long to make: once for all tests of a process. */
export function wholeDocument() {
  made ??= openApiDocument(registry);
  return made;
}
