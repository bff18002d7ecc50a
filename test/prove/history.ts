import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { proveTravel } from './history/travel.ts';
import { amountOption, seedIn, usualOptions, verdictOn } from './options.ts';
import { openMemoryStore } from './service.ts';

const help = `Proves what is promised of the history.

Time travel: several writers change features, segments, plans and parents at the same time, archive, delete, move and import features.
At moments in between, the proof keeps what SDKs get. Later it asks for each moment again, for whole projects and for single features, and
takes features back to moments: SDKs must get the same again, or the refusal names what is really gone. Ends with PASS, or with FAIL and 1.

  npm run prove:history -- [OPTIONS]

  --travel        only time travel, which is all so far
  --quick         60 moments and 60 reverts instead of 1,000 each
  --moments 50    so many moments
  --reverts 50    so many reverts
  --seed 42       the same steps again; how requests of a round interleave is up to the machine
  -h, --help      this text`;

const options = {
  ...usualOptions,
  travel: { type: 'boolean', default: false },
  moments: { type: 'string' },
  reverts: { type: 'string' },
} as const;

async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const seed = seedIn(values);
  const moments = amountOption(values, 'moments', [60, 1_000]);
  const reverts = amountOption(values, 'reverts', [60, 1_000]);
  console.log(
    `Seed ${seed}: repeat with npm run prove:history -- --seed ${seed} --moments ${moments} --reverts ${reverts}`,
  );
  await using _store = await openMemoryStore();
  const broken = await proveTravel({ seed, moments, reverts });
  return verdictOn(broken, `${moments} moments, ${reverts} reverts; --seed ${seed}; ${broken.length} broken.`);
}

await runCommand({ name: 'prove:history', help, options, run: prove });
