import { parseArgs } from 'node:util';
import { processTimeOf } from './process-time.ts';
import { Server } from './server.ts';
import { unleashPreparation } from './unleash.ts';

const help = `Measures the local server over HTTP: throughput, latency and processor time of every operation.

  npm run bench [-- OPTIONS]

  --quick             at most a minute instead of at most fifteen; large work is smaller
  --only TEXT         only work whose name contains TEXT; growth is left out unless TEXT is "growth"
  --against URL       the same work on an Unleash server, in turn; test/bench/peer.md says how to set one up
  --token TOKEN       a personal access token of an admin there
  --against-pid PID   the process of that server; said again, those of its store, whose children count too`;

export interface Options {
  readonly isQuick: boolean;
  readonly only: string | undefined;
  readonly peer: Server | undefined;
}

/** Reads the command line; undefined when only help was asked for, which is then printed. */
export function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      against: { type: 'string' },
      token: { type: 'string' },
      'against-pid': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return undefined;
  }
  const { quick, only, against, token, 'against-pid': pids } = values;
  return { isQuick: quick, only, peer: against === undefined ? undefined : peerAt(against, token, pids.map(Number)) };
}

function peerAt(address: string, token: string | undefined, pids: readonly number[]): Server {
  if (token === undefined) throw new Error('--against needs --token, a personal access token of an admin there.');
  const peer = { name: 'peer', url: address.replace(/\/+$/, ''), token };
  return new Server(peer, unleashPreparation(peer), () => processTimeOf(pids));
}
