import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** Bundled packages in CommonJS call it, which a module does not have; our own modules import the other name. */
const requireForPackages =
  "import { createRequire as createRequireForPackages } from 'node:module'; const require = createRequireForPackages(import.meta.url);";

/**
 * Bundles programs into a folder, so that they need Node and no other file: `start.ts` becomes `start.mjs`.
 * @param first code that each program begins with.
 */
export function bundlePrograms(entryPoints: string[], outdir: string, first = ''): void {
  buildSync({
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    minifySyntax: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    alias: { 'node:http': fileURLToPath(new URL('node-http.cjs', import.meta.url)) },
    banner: { js: `${requireForPackages}${first}` },
    logLevel: 'warning',
  });
}
