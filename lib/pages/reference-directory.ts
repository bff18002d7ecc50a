import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/**
 * Returns the directory of Swagger UI's files: its package, or in a bundled function, which replaces this module, the
 * directory beside it.
 */
export function referenceDirectory(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}
