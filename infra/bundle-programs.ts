import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** Defines `require`, which ES modules lack and bundled CommonJS packages need. Our own modules import `createRequire`, so it gets another name here. */
const requireForPackages =
  "import { createRequire as createRequireForPackages } from 'node:module'; const require = createRequireForPackages(import.meta.url);";

/**
 * Bundles programs into a folder: `start.ts` becomes `start.mjs`. The results need nothing but Node.
 * @param first code at the beginning of each program.
 */
export function bundlePrograms(entryPoints: string[], outdir: string, first = ''): void {
  buildSync({
    entryPoints,
    outdir,
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
    banner: { js: `${requireForPackages}${first}` },
    logLevel: 'warning',
  });
}
