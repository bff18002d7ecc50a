import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { check } from './concurrency/check/checker.ts';
import { CallTally, printAnomaly } from './concurrency/report.ts';
import { runRound } from './concurrency/round.ts';
import { seedIn, usualOptions, verdictOn } from './options.ts';
import { openMemoryStore } from './service.ts';

const help = `Proves that many clients at once cannot tell the service from one that does one thing after the other: the answers of
all calls and all events are explained by some order of the calls that respects real time. Meanwhile the clock of the
service starts the milestones of release plans, and counts as a client. Transactions conflict as on AWS, and reads see
half of them. In the second phase one in five requests to the store fails. Ends with PASS, or with FAIL and 1 when a
promise breaks.

  npm run prove:concurrency -- [OPTIONS]

  --quick       at most a minute instead of at most twelve
  --plain       the store as it is, without the conflicts and the half visible transactions of AWS's
  --seed 42     the same requests and the same failures again; how they interleave is up to the machine
  -h, --help    this text`;

const options = {
  ...usualOptions,
  plain: { type: 'boolean', default: false },
} as const;

/** A phase starts no round that would exceed its seconds, however slow the machine. */
const phasesOf = (quick: boolean) => [
  { name: 'clean', rounds: quick ? 2 : 40, secondsMax: quick ? 28 : 380, clients: 24, callsPerClient: 75 },
  { name: 'faulty', rounds: quick ? 1 : 16, secondsMax: quick ? 28 : 310, clients: 48, callsPerClient: 40 },
];
const successMin = 0.999;
const anomaliesShown = 5;
async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const seed = seedIn(values);
  const { quick } = values;
  console.log(`Seed ${seed}: repeat with npm run prove:concurrency -- --seed ${seed}${quick ? ' --quick' : ''}`);
  await using _store = await openMemoryStore();
  const broken: string[] = [];
  let callsMade = 0;
  for (const [index, { name, rounds, secondsMax, ...clients }] of phasesOf(quick).entries()) {
    const tally = new CallTally();
    const start = performance.now();
    for (let number = 0; number < rounds; number += 1) {
      const seconds = (performance.now() - start) / 1000;
      if (number > 0 && seconds + seconds / number > secondsMax) break;
      const roundSeed = seed + 1_000 * (index * 1_000 + number);
      const round = await runRound({
        ...clients,
        isFaulty: name === 'faulty',
        isPlain: values.plain,
        seed: roundSeed,
        secondsMax: secondsMax - seconds,
      });
      const anomalies = check(round.history);
      for (const anomaly of anomalies.slice(0, Math.max(0, anomaliesShown - tally.anomalies))) {
        printAnomaly(anomaly, round.history);
      }
      for (const problem of round.disagreements) console.log(`NOT AGREEING: ${problem}`);
      tally.add(round, anomalies.length + round.disagreements.length);
      console.log(
        `${name}, round ${number + 1} of ${rounds}: ${tally.calls} calls, ${tally.anomalies} anomalies so far`,
      );
    }
    tally.print(name);
    callsMade += tally.calls;
    if (tally.anomalies > 0) broken.push(`The phase "${name}" has ${tally.anomalies} anomalies.`);
    if (tally.success < successMin)
      broken.push(`In the phase "${name}" too many requests were not answered in the end.`);
  }
  return verdictOn(broken, `${callsMade} calls, ${broken.length} promises broken; --seed ${seed}.`);
}

await runCommand({ name: 'prove:concurrency', help, options, run: prove });
