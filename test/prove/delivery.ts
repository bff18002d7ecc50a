import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { askChats } from './delivery/chats.ts';
import { type ModelCounts, runModel, type Troubles } from './delivery/model.ts';
import { sendOverHttp } from './delivery/over-http.ts';
import { askReceivers } from './delivery/receivers.ts';
import { inProcessEndpoint, openInProcessStore } from './in-process-store.ts';
import { amountOption, seedIn, usualOptions } from './options.ts';

const help = `Proves that integrations get every event that they are about, each feature's in order, and an event twice only where a process
died with it under way. The code that sends runs on a real store in virtual time: processes die at any call to the store and
around any request, notifications are lost or late, the list of events lags, changes are committed long after their stamp, the
receiver fails or is down, for minutes or for three days, some events are never taken, and a filter is widened. Before,
the real server is killed while it sends what sixteen writers change to three webhooks, receivers that others wrote take
messages, in Python, and the SDKs of chats check those for them. Ends with PASS, or with FAIL and 1.

  npm run prove:delivery -- [OPTIONS]

  --quick        10 runs instead of 300, 500 changes and 1 kill of a server instead of 10,000 and 20, and no receivers of others
  --kills 200    so many kills of the server
  --runs 50      so many runs
  --seed 42      the same troubles again; how they interleave is up to the machine
  -h, --help     this text`;

const options = {
  ...usualOptions,
  runs: { type: 'string' },
  kills: { type: 'string' },
} as const;

const allOfThem: Troubles = {
  ...{ features: 6, perFeature: 20, gap: 30, death: 0.02, lost: 0.15, failure: 0.12, outage: 2_500, poison: 0.02 },
  widenedAfter: 900,
};
const widened: Troubles = {
  ...{ features: 6, perFeature: 25, gap: 160, death: 0.01, lost: 0.1, failure: 0, outage: 0, poison: 0 },
  widenedAfter: 2_600,
};
const awayForThreeDays: Troubles = { ...allOfThem, outage: 73 * 3_600 };
/** The troubles of runs, in turns. */
const kinds: readonly Troubles[] = [
  ...[allOfThem, widened, allOfThem, widened, allOfThem],
  ...[widened, allOfThem, widened, allOfThem, awayForThreeDays],
];

async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const seed = seedIn(values);
  const runs = amountOption(values, 'runs', [10, 300]);
  console.log(`Seed ${seed}: repeat with npm run prove:delivery -- --seed ${seed} --runs ${runs}`);
  const kills = amountOption(values, 'kills', [1, 20]);
  const found = [await sendOverHttp({ changes: values.quick ? 500 : 10_000, kills, seed })];
  if (!values.quick) found.push(await askReceivers(), await askChats());
  for (const { words } of found) console.log(words);
  const total: Record<keyof ModelCounts, number> = {
    ...{ events: 0, requests: 0, deaths: 0, missing: 0, inversions: 0, doubles: 0, givenUp: 0 },
    ...{ wronglyGivenUp: 0, heldUp: 0, stale: 0 },
  };
  for (let run = 0; run < runs; run += 1) {
    const store = await openInProcessStore();
    const counts = await runModel(inProcessEndpoint, seed + run, kinds[run % kinds.length] as Troubles);
    await store.close();
    for (const name of Object.keys(total) as (keyof ModelCounts)[]) total[name] += counts[name];
    if (mistakesIn(counts) > 0) console.log(`Seed ${seed + run}: ${JSON.stringify(counts)}`);
    if (run % 10 === 9) console.log(`${run + 1} runs: ${JSON.stringify(total)}`);
  }
  const { events, deaths, missing, inversions, doubles, givenUp, wronglyGivenUp, heldUp, stale } = total;
  return {
    passed: found.every(({ passed }) => passed) && events > 0 && mistakesIn(total) === 0 && doubles <= deaths,
    summary: `${events} events, ${deaths} deaths: ${missing} lost, ${inversions} out of order, ${doubles} twice, ${givenUp} given up, of them ${wronglyGivenUp} wrongly, ${heldUp} held up by others, ${stale} of before a filter was widened; --seed ${seed}.`,
  };
}

function mistakesIn({ missing, inversions, wronglyGivenUp, heldUp, stale }: Record<keyof ModelCounts, number>): number {
  return missing + inversions + wronglyGivenUp + heldUp + stale;
}

await runCommand({ name: 'prove:delivery', help, options, run: prove });
