import { randomUUID } from 'node:crypto';
import { systemUser } from '../../../lib/events/actor.ts';
import { featureEventWrites } from '../../../lib/events/event-items.ts';
import type { Event } from '../../../lib/events/event-schema.ts';
import * as eventKeys from '../../../lib/events/keys.ts';
import { addons } from '../../../lib/integrations/addons.ts';
import type { Answer } from '../../../lib/integrations/sending/answer.ts';
import type { DeliveryRecord } from '../../../lib/integrations/sending/delivery-records.ts';
import * as sendingKeys from '../../../lib/integrations/sending/keys.ts';
import { notifySender } from '../../../lib/integrations/sending/notify.ts';
import { loadPlan } from '../../../lib/integrations/sending/plan.ts';
import { poll } from '../../../lib/integrations/sending/poll.ts';
import { scanEvents } from '../../../lib/integrations/sending/scan.ts';
import type { Sender } from '../../../lib/integrations/sending/sender.ts';
import { createRequest } from '../../../lib/request.ts';
import { type Key, keyText } from '../../../lib/store/client/definition.ts';
import type { MarshalledItem } from '../../../lib/store/client/marshall.ts';
import { openStore } from '../../../lib/store/client/open-store.ts';
import { createTable } from '../../../lib/store/client/tables.ts';
import { queryAll } from '../../../lib/store/read.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { interceptAttempts } from '../../harness/intercept.ts';
import { randomFrom } from '../../harness/random.ts';
import { mayBeGivenUp, type SeenAttempt } from './given-up.ts';
import { VirtualTime } from './virtual-time.ts';

/** The troubles of a run; probabilities are per step. Times are in seconds. */
export interface Troubles {
  readonly features: number;
  readonly perFeature: number;
  /** The longest pause between two changes of a feature. */
  readonly gap: number;
  /** A process dies at a call to the store, before or after it, or around a request. */
  readonly death: number;
  /** A notification is lost. */
  readonly lost: number;
  /** A request fails. */
  readonly failure: number;
  /** The receiver is down for so long. */
  readonly outage: number;
  /** An event is never taken: the receiver fails with it, refuses it, or does not answer. */
  readonly poison: number;
  /** The integration asks for more types of events after so long. */
  readonly widenedAfter: number;
}

/** The outcome of a run. */
export interface ModelCounts {
  readonly events: number;
  readonly requests: number;
  readonly deaths: number;
  /** Events that were neither taken nor given up. */
  readonly missing: number;
  /** Events that were first taken after a later one of their feature. */
  readonly inversions: number;
  /** Events that were taken again. */
  readonly doubles: number;
  readonly givenUp: number;
  /** Events that were given up for no reason that would do. */
  readonly wronglyGivenUp: number;
  /** Events of features without a bad one that came long after the receiver could have taken them. */
  readonly heldUp: number;
  /** Events of before the filter was widened that were sent all the same. */
  readonly stale: number;
}

const second = 1_000;
/** The longest that an event waits for a trial request, and for one failure of its own feature after the receiver is back. */
const heldUpMs = 2 * 3_600 * second;
const allTypes = ['feature-created', 'feature-updated'];
const addonId = 1;

/** Runs the queues through random troubles, with the real code on a real store, in virtual time. */
export async function runModel(endpoint: string, seed: number, troubles: Troubles): Promise<ModelCounts> {
  const random = randomFrom(seed);
  const anyOf = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  const name = `model-${randomUUID()}`;
  const table = createRequest(openStore({ name, endpoint }));
  await createTable(table);
  const time = new VirtualTime(Date.now());
  const began = time.now;
  const counts = { deaths: 0, requests: 0 };
  const attempts: SeenAttempt[] = [];
  const events: Event[] = [];
  const bad = new Map<number, 'fails' | 'is refused' | 'hangs'>();
  const listedAt = new Map<string, number>();
  let areDeathsOver = false;

  /** A process that sends; dead, it never comes to an end of anything. */
  function newProcess(): Sender & { isDead: boolean } {
    const store = openStore({ name, endpoint });
    const forever = new Promise<never>(() => {});
    const mayDie = async () => {
      if (!sender.isDead && !areDeathsOver && random() < troubles.death) {
        sender.isDead = true;
        counts.deaths += 1;
      }
      if (sender.isDead) await forever;
    };
    interceptAttempts({ store }, async ({ input }, next) => {
      await time.wait(10 + random() * 10);
      await mayDie();
      time.underWay += 1;
      const output = await next().finally(() => {
        time.underWay -= 1;
      });
      await mayDie();
      if (input.IndexName === undefined) return output;
      const isListed = ({ pk, sk }: MarshalledItem) =>
        (listedAt.get(keyText({ pk: `${pk?.S}`, sk: `${sk?.S}` })) ?? 0) <= time.now;
      return { ...output, Items: output.Items?.filter(isListed) };
    });
    const sender = {
      isDead: false,
      request: createRequest(store),
      clock: { now: () => time.now, sleep: (milliseconds: number) => time.wait(milliseconds) },
      publicUrl: () => undefined,
      userAgent: 'model',
      log: () => {},
      warn: () => {},
      signal: new AbortController().signal,
      rateLimits: new Map(),
      async post({ body }: { readonly body: string | Buffer }): Promise<Answer> {
        counts.requests += 1;
        await mayDie();
        await time.wait(random() < 0.02 ? 15 * second : 50 + random() * 300);
        const { id, featureName } = JSON.parse(String(body));
        const age = (time.now - began) / second;
        const isAway = age > 200 && age < 200 + troubles.outage;
        const how = bad.get(id) ?? (random() < troubles.failure ? 'fails' : undefined);
        const failure = how === 'is refused' ? 'refused' : 'failed';
        const answer = how === undefined ? 'taken' : failure;
        const as = isAway ? 'away' : answer;
        attempts.push({ id, feature: featureName, at: time.now, as });
        if (isAway) return { lost: 'no connection' };
        if (how === 'fails') return { status: 500, text: '' };
        if (how === 'is refused') return { status: 400, text: '' };
        if (how === 'hangs') return { lost: 'no answer', timedOut: true };
        await time.wait(20);
        await mayDie();
        return { status: 200, text: '' };
      },
    };
    return sender;
  }

  const processes = [newProcess(), newProcess(), newProcess()];
  /** A process that lives; what it is asked for may end with it. */
  const livingProcess = () => {
    const index = Math.floor(random() * processes.length);
    if (processes[index]?.isDead) processes[index] = newProcess();
    return processes[index] as ReturnType<typeof newProcess>;
  };
  const inBackground = (action: Promise<unknown>) => void action.catch(fail);
  let failed: unknown;
  const fail = (error: unknown) => {
    failed ??= error;
  };

  /** The stream announces an item again where the process that heard of it has died. */
  async function announce(key: Key): Promise<void> {
    for (let round = 0; round < 20; round += 1) {
      await time.wait((1.5 + random() * (round === 0 ? 3 : 30)) * second);
      const process = livingProcess();
      const isOver = notifySender(process, [key]).then(() => true);
      if (await Promise.race([isOver, whenDead(process)])) return;
    }
  }

  /** Looks now and then whether a process has died. */
  async function whenDead(process: { readonly isDead: boolean }): Promise<false> {
    while (!process.isDead) await time.wait(5 * second);
    return false;
  }

  let nextId = 1;
  async function writer(feature: string): Promise<void> {
    let lastId = 0;
    for (let count = 0; count < troubles.perFeature; count += 1) {
      await time.wait(random() * troubles.gap * second);
      let id = nextId;
      nextId += 1 + Math.floor(random() * 2);
      const createdAt = new Date(time.now).toISOString();
      // It is committed after its stamp, and listed later still.
      await time.wait((random() < 0.05 ? random() * 20 : random() * 0.2) * second);
      if (id <= lastId) {
        id = nextId;
        nextId += 1;
      }
      lastId = id;
      const type = random() < 0.3 ? 'feature-updated' : 'feature-created';
      const event: Event = {
        ...{ id, createdAt, type, createdBy: 'a', createdByUserId: 1, environment: null, project: 'default' },
        ...{ featureName: feature, data: null, preData: null, tags: [] },
      };
      const key = eventKeys.featureEvents(feature, id);
      listedAt.set(keyText(key), time.now + (random() < 0.05 ? random() * 60 : random()) * second);
      if (random() < troubles.poison) bad.set(id, anyOf(['fails', 'fails', 'is refused', 'hangs']));
      time.underWay += 1;
      await transact(table, featureEventWrites(feature, [event], { eventCount: count + 1 }, []), undefined);
      time.underWay -= 1;
      events.push(event);
      if (random() >= troubles.lost) inBackground(announce(key));
    }
  }

  const isWidened = () => time.now - began >= troubles.widenedAfter * second;
  time.underWay += 1;
  await addons.create(table, systemUser, (createdAt) => ({
    ...{ id: addonId, provider: 'webhook', enabled: true, description: null, createdAt },
    ...{ enabledAt: createdAt, savedBy: systemUser.id, parameters: { url: 'https://receiver.example' } },
    ...{ events: troubles.widenedAfter === 0 ? allTypes : ['feature-created'], projects: [], environments: [] },
  }));
  time.underWay -= 1;
  inBackground(loadPlan(newProcess()));
  await time.passTo(began + second);
  for (let index = 0; index < troubles.features; index += 1) inBackground(writer(`f${index}`));

  async function onClock(): Promise<void> {
    const process = livingProcess();
    await scanEvents(process, await poll(process));
  }
  let wasWidened = troubles.widenedAfter === 0;
  /** Events of about the moment may be sent or not. */
  let widened = { from: time.now, to: time.now };
  const hours = 3_600 * second;
  const calmAt = began + troubles.perFeature * troubles.gap * second + troubles.outage * second;
  // A failed delivery is tried again for days, in which little else happens.
  const pauseMinutes = () => {
    if (time.now > calmAt + 3 * hours) return 30;
    return areDeathsOver ? 5 : 1;
  };
  for (let end = began + 60 * second; ; end += pauseMinutes() * 60 * second) {
    await time.passTo(end);
    if (failed !== undefined) throw failed;
    inBackground(onClock());
    if (isWidened() && !wasWidened) {
      wasWidened = true;
      time.underWay += 1;
      await addons.update(table, systemUser, addonId, (addon) => ({ ...addon, events: allTypes }));
      time.underWay -= 1;
      widened = { from: time.now - 1_300 * second, to: time.now + 10 * second };
    }
    if (time.now > calmAt) areDeathsOver = true;
    if (areDeathsOver && time.now > calmAt + 2 * hours && (await isSettled())) break;
    if (time.now > calmAt + 110 * hours) break;
  }

  async function isSettled(): Promise<boolean> {
    return (await queryAll(table, sendingKeys.retries(addonId))).length === 0;
  }

  const sent = await queryAll<DeliveryRecord>(table, sendingKeys.sentEvents(addonId));
  const givenUp = sent.filter(({ state }) => state === 'failed');
  const received = attempts.filter(({ as }) => as === 'taken');
  const firsts = [...new Map(received.toReversed().map((each) => [each.id, each])).values()].toReversed();
  const arrived = new Map(firsts.map(({ id, at }) => [id, at]));
  const settled = new Set([...arrived.keys(), ...givenUp.map(({ eventId }) => eventId)]);
  const isWanted = ({ type, createdAt }: Event) => type === 'feature-created' || Date.parse(createdAt) >= widened.to;
  const byFeature = Map.groupBy(firsts, ({ feature }) => feature);
  const badFeatures = new Set(events.flatMap(({ id, featureName }) => (bad.has(id) ? [featureName] : [])));
  const createdAt = new Map(events.map((event) => [event.id, event.createdAt]));
  const isBackAt = began + (200 + troubles.outage) * second;
  function isHeldUp({ id, createdAt: stamp, featureName }: Event): boolean {
    const from = Math.max(Date.parse(stamp), isBackAt);
    const to = arrived.get(id) ?? 0;
    if (badFeatures.has(featureName) || to <= from + heldUpMs) return false;
    const ofFeature = attempts.filter((each) => each.feature === featureName && each.at >= from && each.at <= to);
    return ofFeature.filter(({ as }) => as === 'failed').length <= 1;
  }
  return {
    events: events.length,
    ...counts,
    missing: events.filter((event) => isWanted(event) && !settled.has(event.id)).length,
    inversions: [...byFeature.values()].flatMap((list) =>
      list.filter(({ id }, index) => id < (list[index - 1]?.id ?? 0)),
    ).length,
    doubles: received.length - firsts.length,
    givenUp: givenUp.length,
    wronglyGivenUp: givenUp.filter((each) => !mayBeGivenUp(each, createdAt.get(each.eventId) ?? '', attempts)).length,
    heldUp: events.filter(isHeldUp).length,
    stale: events.filter(
      (event) => !isWanted(event) && Date.parse(event.createdAt) < widened.from && arrived.has(event.id),
    ).length,
  };
}
