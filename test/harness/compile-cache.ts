import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { inject } from 'vitest';

interface CompileCache {
  readonly NODE_COMPILE_CACHE: string;
}

/** A variable by which a process that a test starts finds what others of this run have compiled of the same files. */
export function compileCache(): CompileCache {
  return { NODE_COMPILE_CACHE: inject('compileCache') };
}

/** As `compileCache`, for a process that runs the sources as they are: earlier runs have compiled most of them. */
export function compiledSources(): CompileCache {
  const ours = getCompileCacheDir();
  return ours === undefined ? compileCache() : { NODE_COMPILE_CACHE: dirname(ours) };
}
