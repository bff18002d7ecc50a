import { runCommand } from '../../infra/commands/command.ts';
import { usualOptions } from './options.ts';

const help = `Proves that no request breaks the service: whatever is sent, the answer is one that the OpenAPI document describes,
says nothing of the inside, and leaves everything whole. Ends with PASS, or with FAIL and 1 when a promise breaks.

  npm run prove:hostile -- [OPTIONS]

  --quick                 30,000 requests in all, one in four generated, instead of 1,000 generated for each operation,
                          and no Schemathesis
  --runs 10000            so many generated requests for each operation
  --only getTag,addTag    these operations alone
  --over-http             only the requests over HTTP, Schemathesis among them for a minute
  --part 1/2              every second operation from the first on, beside another process with --part 2/2
  --seed 42               the same requests again
  -h, --help              this text`;

const options = {
  ...usualOptions,
  runs: { type: 'string' },
  only: { type: 'string' },
  part: { type: 'string' },
  'over-http': { type: 'boolean', default: false },
} as const;

await runCommand({
  name: 'prove:hostile',
  help,
  options,
  // The attacks take seconds to load, and the help text needs none of them.
  run: async ({ values }) => (await import('./hostile/prove.ts')).prove(values),
});
