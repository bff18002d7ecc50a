import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, describe } from 'vitest';
import { forgetSynthesized } from './synthesize.ts';

afterAll(forgetSynthesized);

/** One file for all tests of the stack: a process takes seconds to load the CDK and to synthesize the whole stack. */
for (const file of readdirSync(new URL('stack', import.meta.url))) {
  const name = basename(file, '.ts');
  describe(name, () => import(`./stack/${name}.ts`));
}
