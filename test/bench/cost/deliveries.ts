import { millionGigabyteMilliseconds, prices } from '../../../infra/prices.ts';
import { notifySender } from '../../../lib/integrations/sending/notify.ts';
import { loadPlan } from '../../../lib/integrations/sending/plan.ts';
import { realClock, type Sender } from '../../../lib/integrations/sending/sender.ts';
import type { Key } from '../../../lib/store/client/definition.ts';
import { listenToCommits } from '../../../lib/store/transactions/commit-listener.ts';
import type { ProvedService } from '../../prove/service.ts';
import { type Cost, costOf } from './measure.ts';
import { type Dollars, monthlyTotal } from './sdk-months.ts';

/** Assumed figures of a change that is sent, which cannot be measured here: the bytes are those of one delivery. */
export const assumedOfSending = {
  megabytes: 512,
  milliseconds: 180,
  idleMilliseconds: 12,
  bytesLogged: 400,
  bytesSent: 2_500,
};

/** The most that a million changes may cost in US dollars by the integrations that each is sent to, and the writes of a delivery. */
export const deliveriesMax = { dollars: { 0: 0.55, 1: 4.2, 10: 27.7 }, writeUnits: 3 } as const;

/** Cost of one change, by the number of integrations that it is sent to. */
export interface DeliveryCost {
  readonly deliveries: keyof typeof deliveriesMax.dollars;
  readonly cost: Cost;
}

/** Measures, at the store, what the notification of one change of a feature asks for. */
export async function deliveryCosts({ table, call }: Pick<ProvedService, 'table' | 'call'>): Promise<DeliveryCost[]> {
  const sender: Sender = {
    request: table,
    post: async () => ({ status: 200, text: '' }),
    clock: realClock,
    publicUrl: () => undefined,
    userAgent: 'Flagstaff',
    log: () => {},
    warn: () => {},
    signal: new AbortController().signal,
    rateLimits: new Map(),
  };
  await loadPlan(sender);
  let keys: readonly Key[] = [];
  const endListening = listenToCommits(table.store, (committed) => {
    keys = committed;
  });
  const costs: DeliveryCost[] = [];
  let integrations = 0;
  for (const deliveries of [0, 1, 10] as const) {
    for (; integrations < deliveries; integrations += 1) {
      const parameters = { url: 'https://receiver.example' };
      const body = { provider: 'webhook', enabled: true, parameters, events: ['feature-created'] };
      await call('POST', '/api/admin/addons', { body });
    }
    // A notification of their own has them noticed once.
    await loadPlan(sender);
    const feature = { name: `sent-${deliveries}`, type: 'release' };
    await call('POST', '/api/admin/projects/default/features', { body: feature });
    costs.push({ deliveries, cost: await costOf(table, () => notifySender(sender, keys)) });
  }
  endListening();
  return costs;
}

/** Returns the cost of a million such changes, each announced on its own. */
export function millionChanges({ deliveries, cost }: DeliveryCost): Dollars {
  const { megabytes, milliseconds, idleMilliseconds, bytesLogged, bytesSent } = assumedOfSending;
  const gigabyteMilliseconds = ((deliveries === 0 ? idleMilliseconds : milliseconds) * megabytes) / 1024;
  return {
    calls: prices.millionFunctionRequests,
    'processor time': gigabyteMilliseconds * millionGigabyteMilliseconds({ architecture: 'arm64' }),
    reads: cost.readUnits * prices.millionReadUnits,
    writes: cost.writeUnits * prices.millionWriteUnits,
    logs: (deliveries * bytesLogged * prices.gigabyteLogged) / 1_000,
    'bytes sent': (deliveries * bytesSent * prices.gigabyteSent) / 1_000,
  };
}

/** Returns the budgets that are missed. */
export function excessOfDeliveries(costs: readonly DeliveryCost[]): string[] {
  return costs.flatMap((each) => {
    const { deliveries, cost } = each;
    const dollars = Math.round(monthlyTotal(millionChanges(each)) * 100) / 100;
    const max = deliveriesMax.dollars[deliveries];
    return [
      ...(dollars > max ? [`a million changes with ${deliveries} deliveries each more than $${max}`] : []),
      ...(cost.writeUnits > deliveries * deliveriesMax.writeUnits
        ? [`${deliveries} deliveries write more than ${deliveriesMax.writeUnits} units each`]
        : []),
    ];
  });
}
