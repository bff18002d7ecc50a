import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe } from 'vitest';

/** One file for all that look at the stack: it takes a process seconds to load the CDK and to synthesize all of it. */
for (const file of readdirSync(new URL('stack', import.meta.url))) {
  const name = basename(file, '.ts');
  describe(name, () => import(`./stack/${name}.ts`));
}
