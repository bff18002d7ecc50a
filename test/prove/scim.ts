import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { amountOption, seedIn, usualOptions, verdictOn } from './options.ts';
import { proveByJudges } from './scim/judges.ts';
import { proveSync } from './scim/sync.ts';

const help = `Proves that a directory can provision people and groups by SCIM. Two judges that others wrote, scim2-tester and scim-sanity, find no
failure in the protocol; they need Python 3.10 and its package index, and what could not be run is said. A simulated directory syncs them with the real server, as Okta and
Entra ID do, while the server is killed and started again: in the end the same people are there, nobody twice, nobody lost a role, the groups
have their members, and the last Admin is still there, whom the directory tries to deactivate. Ends with PASS, or with FAIL and 1.

  npm run prove:scim -- [OPTIONS]

  --judges          only the judges
  --sync            only the sync
  --people 10000    and --groups 200, --members 1000 (of each group), --kills 50: the amounts
  --quick           200 people, 6 groups of 100, and 3 kills
  --seed 42         the same moments of kills again
  -h, --help        this text`;

const options = {
  ...usualOptions,
  judges: { type: 'boolean', default: false },
  sync: { type: 'boolean', default: false },
  people: { type: 'string' },
  groups: { type: 'string' },
  members: { type: 'string' },
  kills: { type: 'string' },
} as const;

async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const seed = seedIn(values);
  console.log(`Seed ${seed}.`);
  const amounts = {
    people: amountOption(values, 'people', [200, 10_000]),
    groups: amountOption(values, 'groups', [6, 200]),
    members: amountOption(values, 'members', [100, 1_000]),
    kills: amountOption(values, 'kills', [3, 50]),
  };
  const parts = [
    ...(values.sync ? [] : [await proveByJudges()]),
    ...(values.judges ? [] : [await proveSync(amounts, seed)]),
  ];
  return verdictOn(
    parts.flatMap(({ broken }) => broken),
    parts.map(({ words }) => words).join('; '),
  );
}

await runCommand({ name: 'prove:scim', help, options, run: prove });
