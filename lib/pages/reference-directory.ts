import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/**
 * Returns the directory of Swagger UI's files: that of its package. The bundler replaces this module; a bundled function has the files
 * in its own directory.
 */
export function referenceDirectory(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}
