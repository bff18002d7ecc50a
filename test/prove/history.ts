import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { proveTravel } from './history/travel.ts';
import { proveVerification } from './history/verification.ts';
import { amountOption, seedIn, usualOptions, verdictOn } from './options.ts';
import { openMemoryStore } from './service.ts';

const help = `Proves what is promised of the history.

Verification: 16 writers change features while their processes are killed, and the history verifies. Then events are altered, removed,
added and exchanged, in a store and in a backup: each is found and named, also if all later hashes were computed again, where a checkpoint
was kept.

Time travel: several writers change features, segments, plans and parents at the same time, archive, delete, move and import features.
At moments in between, the proof keeps what SDKs get. Later it asks for each moment again, for whole projects and for single features, and
takes features back to moments: SDKs must get the same again, or the refusal names what is really gone. Ends with PASS, or with FAIL and 1.

  npm run prove:history -- [OPTIONS]

  --verification  only the first
  --travel        only the second
  --quick         2,000 changes, 40 cases of each kind, 60 moments and 60 reverts, instead of 100,000 and 1,000 each
  --changes 5000  so many changes
  --cases 100     so many cases of each kind
  --moments 50    so many moments
  --reverts 50    so many reverts
  --seed 42       the same steps again; how requests of a round interleave is up to the machine
  -h, --help      this text`;

const options = {
  ...usualOptions,
  verification: { type: 'boolean', default: false },
  travel: { type: 'boolean', default: false },
  changes: { type: 'string' },
  cases: { type: 'string' },
  moments: { type: 'string' },
  reverts: { type: 'string' },
} as const;

async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const seed = seedIn(values);
  console.log(`Seed ${seed}: repeat with --seed ${seed}`);
  const broken: string[] = [];
  const done: string[] = [];
  if (!values.travel) {
    const changes = amountOption(values, 'changes', [2_000, 100_000]);
    const verified = await proveVerification({ seed, changes, cases: amountOption(values, 'cases', [40, 1_000]) });
    broken.push(...verified.broken);
    done.push(`${changes} changes, ${verified.histories} tampered histories`);
  }
  if (!values.verification) {
    const moments = amountOption(values, 'moments', [60, 1_000]);
    const reverts = amountOption(values, 'reverts', [60, 1_000]);
    await using _store = await openMemoryStore();
    broken.push(...(await proveTravel({ seed, moments, reverts })));
    done.push(`${moments} moments, ${reverts} reverts`);
  }
  return verdictOn(broken, `${done.join(', ')}; --seed ${seed}; ${broken.length} broken.`);
}

await runCommand({ name: 'prove:history', help, options, run: prove });
