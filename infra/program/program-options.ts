import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

/**
 * Defines `require`, which ES modules lack and bundled CommonJS packages need. Modules in the bundle may import `createRequire`, too, so
 * it has another name here.
 */
const requireForPackages =
  "import { createRequire as createRequireForPackages } from 'node:module'; const require = createRequireForPackages(import.meta.url);";

/**
 * The options with which esbuild bundles programs, so that they need nothing but Node: `start.ts` becomes `start.mjs`. The code keeps
 * its names and lines, so that stack traces need no source map.
 */
export const programOptions = {
  bundle: true,
  splitting: true,
  minifySyntax: true,
  // Only a clone builds the console from its sources.
  external: ['esbuild'],
  platform: 'node',
  target: 'node24',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  alias: { 'node:http': fileURLToPath(new URL('node-http.cjs', import.meta.url)) },
  banner: { js: requireForPackages },
  logLevel: 'warning',
} as const satisfies BuildOptions;
