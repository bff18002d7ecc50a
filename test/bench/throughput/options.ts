import { type CommandLine, UsageError } from '../../../infra/commands/command.ts';
import { processTimeOf } from './process-time.ts';
import { MeasuredServer } from './server.ts';
import { unleashPreparation } from './unleash.ts';

export const help = `Measures the local server over HTTP: throughput, latency and processor time of every operation, if asked to against
another server. Ends with PASS, or with FAIL and 1 when a bar is missed.

  npm run bench [-- OPTIONS]

  --quick             about a minute instead of half an hour; large work is smaller
  --only TEXT         only work whose name contains TEXT; growth is left out unless TEXT is "growth"
  --against URL       the same work on an Unleash server, alternating; test/bench/peer.md says how to set one up
  --token TOKEN       a personal access token of an admin there
  --against-pid PID   the process of that server; said again, those of its store, whose children count too
  --edge PATH         the executable of Unleash Edge, to measure beside it; test/bench/peer.md says how to build one
  -h, --help          this text`;

export const options = {
  quick: { type: 'boolean', default: false },
  only: { type: 'string' },
  against: { type: 'string' },
  token: { type: 'string' },
  'against-pid': { type: 'string', multiple: true, default: [] as string[] },
  edge: { type: 'string' },
} as const;

export interface Options {
  readonly isQuick: boolean;
  readonly only: string | undefined;
  readonly peer: MeasuredServer | undefined;
  /** The path of the executable of Unleash Edge. */
  readonly edge: string | undefined;
}

/** @throws UsageError for a server to compare with that there is no token for. */
export function readOptions({ values }: CommandLine<typeof options>): Options {
  const { quick, only, against, token, 'against-pid': pids, edge } = values;
  const peer = against === undefined ? undefined : peerAt(against, token, pids.map(Number));
  return { isQuick: quick, only, peer, edge };
}

function peerAt(address: string, token: string | undefined, pids: readonly number[]): MeasuredServer {
  if (token === undefined) throw new UsageError('--against needs --token, a personal access token of an admin there.');
  const peer = { name: 'peer', url: address.replace(/\/+$/, ''), token };
  return new MeasuredServer(peer, unleashPreparation(peer), () => processTimeOf(pids));
}
