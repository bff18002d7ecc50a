import { globSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { registered } from './registered.ts';
import type { NamedSpecification } from './specification.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The specifications of all endpoints, from their test files, for a process that runs without vitest: a proof, a
 * benchmark, the generator. By folder and name, whatever file has them.
 */
export async function loadSpecifications(): Promise<NamedSpecification[]> {
  const vitest = new URL('./without-vitest.ts', import.meta.url).href;
  const hooks = registerHooks({
    resolve: (name, context, next) => (name === 'vitest' ? { url: vitest, shortCircuit: true } : next(name, context)),
  });
  try {
    for (const file of globSync('test/functions/*/*.test.ts', { cwd: root }).toSorted()) {
      await import(new URL(`../../${file}`, import.meta.url).href);
    }
    const { specifications } = await import('./specify.ts');
    return registered().flatMap(({ name }) => specifications.get(name) ?? []);
  } finally {
    hooks.deregister();
  }
}
