import { runCommand } from '../../infra/commands/command.ts';

const help = `Shows what each operation asks of the store, by the store's own figures, beside its budget, and what that costs on AWS;
then what SDKs cost that poll it, what release plans cost that run, and what the stack costs at rest and in a flood of calls, by its templates.
Ends with PASS, or with FAIL and 1 when a budget is not kept.

  npm run bench:cost -- [OPTIONS]

  --quick       bulk work on at most 100 features instead of 1,000
  -h, --help    this text`;

const options = { quick: { type: 'boolean', default: false } } as const;

await runCommand({
  name: 'bench:cost',
  help,
  options,
  // The CDK alone takes seconds to load, and nothing of it is needed to say how this is used.
  run: async ({ values }) => (await import('./cost/bench.ts')).bench(values),
});
