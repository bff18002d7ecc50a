import { openService, openStore, type Service } from '../../prove/service.ts';
import { costOf } from '../cost/measure.ts';
import { median } from '../fresh-process.ts';
import { afterChangeMax, atMost, type Verdict } from './bars.ts';
import { importCall, strategy } from './bodies.ts';
import { freshName, freshNames, times } from './names.ts';
import { environment, paths } from './paths.ts';

const flags = 1_000;

/** What `--only` calls the rows below. */
export const afterChangeName = `poll of ${flags} flags after a change`;

/** What the first poll after a change takes of a process that has served all features before it. */
export interface AfterChange {
  readonly requests: number;
  readonly waits: number;
  readonly readUnits: number;
  /** Of processor time of the service: the middle of all rounds, user and system together. */
  readonly milliseconds: number;
  readonly verdicts: readonly Verdict[];
}

/** Measures it in this process, with real handlers and a store in memory. */
export async function measureAfterChange(rounds: number): Promise<AfterChange> {
  await using _store = await openStore();
  const service = await openService();
  const names = freshNames(flags);
  await imported(service, names);
  const authorization = await clientToken(service);
  // An SDK that has seen a later revision makes the process ask the store at once, instead of after a second.
  const ahead = '"00000000:999999999:00000000"';
  const headers = { authorization, 'accept-encoding': 'gzip', 'unleash-client-spec': '5.2.0', 'if-none-match': ahead };
  const poll = () => service.call('GET', paths.clientFeatures, { headers });
  const change = (round: number) =>
    service.call('PUT', paths.feature(names[round % flags] ?? ''), { body: { description: freshName('description') } });

  await poll();
  await change(0);
  const { requests, waits, readUnits } = await costOf(service.table, poll);
  // The first ones compile what they do.
  const samples: number[] = [];
  for (const round of times(2 * rounds, (each) => each)) {
    await change(round);
    const start = process.cpuUsage();
    await poll();
    const { user, system } = process.cpuUsage(start);
    if (round >= rounds) samples.push((user + system) / 1_000);
  }
  const milliseconds = median(samples);
  const { requestsMax, waitsMax, readUnitsMax, processorMsMax } = afterChangeMax;
  return {
    requests,
    waits,
    readUnits,
    milliseconds,
    verdicts: [
      atMost(requests, requestsMax, 'requests to the store'),
      atMost(waits, waitsMax, 'of them one after the other'),
      atMost(readUnits, readUnitsMax, 'read units'),
      atMost(milliseconds, processorMsMax, 'processor time', ' ms'),
    ],
  };
}

async function imported(service: Service, names: readonly string[]): Promise<void> {
  process.env.IMPORT_BODY_LIMIT_BYTES = '4000000';
  const features = names.map((name) => ({ name, enabled: true, strategies: [strategy(50)] }));
  const { method, path, body } = importCall(features);
  await service.call(method, path, { body });
}

async function clientToken(service: Service): Promise<string> {
  const body = { tokenName: freshName('token'), type: 'client', environment, projects: ['*'] };
  return (await service.call('POST', paths.apiTokens, { body })).body.secret;
}
