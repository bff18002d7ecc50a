import { inject } from 'vitest';

/** A variable by which a process that a test starts finds what others of this run have compiled of the same files. */
export function compileCache(): { readonly NODE_COMPILE_CACHE: string } {
  return { NODE_COMPILE_CACHE: inject('compileCache') };
}
