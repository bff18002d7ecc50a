import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Where the files of Swagger UI lie: in its package, or beside a bundled function, which has another version of this. */
export function referenceDirectory(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}
