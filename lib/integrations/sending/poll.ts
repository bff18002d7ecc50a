import { awaitInOrder } from '../../helpers/await-in-order.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll } from '../../store/read.ts';
import { tryTransact } from '../../store/transactions/transact.ts';
import { sendAgain } from './again.ts';
import { attemptPauseMaxMs, isInFuture } from './backoff.ts';
import type { Integration } from './integration.ts';
import * as sendingKeys from './keys.ts';
import { loadPlan, type Plan } from './plan.ts';
import type { WaitingQueue } from './queue-lease.ts';
import { blockOf, type ReceiverState, receiverHealthOf } from './receiver-state.ts';
import { removeQueues } from './remove-queues.ts';
import { runQueue } from './run-queue.ts';
import type { Sender } from './sender.ts';

/** Retries the waiting queues that are due, and sends events again. If nothing waits, it only reads the plan. */
export async function poll(sender: Sender): Promise<Plan> {
  const plan = await loadPlan(sender);
  await awaitInOrder([...plan.receivers].map(([id, state]) => pollIntegration(sender, plan, id, state)));
  return plan;
}

async function pollIntegration(sender: Sender, plan: Plan, id: number, state: ReceiverState): Promise<void> {
  const integration = plan.integrations.get(id);
  if (integration === undefined) {
    await removeQueues(sender, id, 'The integration was deleted.');
    return;
  }
  const results = await awaitInOrder([
    sendAgain(sender, plan, integration),
    retryQueues(sender, plan, integration, state),
  ]);
  if (results.includes(false)) return;
  // The version changes if something starts to wait meanwhile.
  const { version } = state;
  await tryTransact(sender.request, { remove: sendingKeys.receiverState(id), when: { version } });
}

/** Retries the waiting queues that are due. @returns true if none waits, and the receiver needs no pause. */
async function retryQueues(
  sender: Sender,
  plan: Plan,
  { id, version, addon }: Integration,
  state: ReceiverState,
): Promise<boolean> {
  const { request, clock } = sender;
  const waiting = await queryAll<Key & WaitingQueue>(request, sendingKeys.retries(id));
  const isBlocked = (isTrial: boolean) => {
    const now = clock.now();
    return blockOf(receiverHealthOf(plan.receivers.get(id), version, now), now, isTrial) !== undefined;
  };
  if (waiting.length === 0) return !isBlocked(true);
  const retry = ({ name, eventId, servedTo: upTo = eventId }: WaitingQueue, by: 'poll' | 'trial') =>
    runQueue(sender, plan, { id, name, upTo, by });
  // The queue with the oldest attempt: another one each time, since its event may cause the failure.
  const [first, ...others] = waiting.toSorted((a, b) => a.triedAt - b.triedAt);
  const isTrialDue = isBlocked(false) && !isBlocked(true);
  if (first !== undefined && isTrialDue) await retry(first, 'trial');
  const now = clock.now();
  const wasSaved = state.ofVersion !== undefined && state.ofVersion !== version;
  const isDue = ({ waitUntil }: WaitingQueue) =>
    wasSaved || !addon.enabled || !isInFuture(waitUntil, now, attemptPauseMaxMs);
  const isExpired = ({ givenUpAt }: WaitingQueue) => givenUpAt <= now;
  const due = (isTrialDue ? others : waiting).filter(isBlocked(false) ? isExpired : isDue);
  await awaitInOrder(due.map((queue) => retry(queue, 'poll')));
  return false;
}
