import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';

/** Defines `require`, which ES modules lack and bundled CommonJS packages need. Our own modules import `createRequire`, so it gets another name here. */
const requireForPackages =
  "import { createRequire as createRequireForPackages } from 'node:module'; const require = createRequireForPackages(import.meta.url);";

/**
 * The options of a bundle of programs, which need nothing but Node then: `start.ts` becomes `start.mjs`. The code keeps its names
 * and lines, so that a stack trace leads to the line in question without a source map.
 */
export const programOptions = {
  bundle: true,
  splitting: true,
  minifySyntax: true,
  // Only a console that is built from its sources needs it.
  external: ['esbuild'],
  platform: 'node',
  target: 'node24',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  alias: { 'node:http': fileURLToPath(new URL('node-http.cjs', import.meta.url)) },
  banner: { js: requireForPackages },
  logLevel: 'warning',
} as const satisfies BuildOptions;
