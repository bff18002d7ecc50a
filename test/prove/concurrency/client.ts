import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProvedService } from '../service.ts';
import { type AnsweredCall, featureAnswered, outcomeOf } from './history.ts';
import type { PlannedCall } from './plan.ts';
import { toHttp } from './requests.ts';
import { SeenParts } from './seen-parts.ts';

/** State shared by all clients of a round: the calls that they made, and the clock that orders them. */
export class Recorder {
  readonly calls: AnsweredCall[] = [];
  readonly parts = new SeenParts();
  #time = 0;

  tick(): number {
    this.#time += 1;
    return this.#time;
  }
}

const attemptsMax = 5;

/** Tells whether it is time to stop although work is left: broken promises can make calls take very long. */
export type IsOver = () => boolean;

/** Somebody who makes one call at a time, and remembers the versions of features from the replies. */
export class PlannedClient {
  readonly #versions = new Map<string, number>();
  readonly #service: ProvedService;
  readonly #name: string;
  readonly #token: string;
  readonly #recorder: Recorder;

  constructor(service: ProvedService, { name, token }: { name: string; token: string }, recorder: Recorder) {
    this.#service = service;
    this.#name = name;
    this.#token = token;
    this.#recorder = recorder;
  }

  /** Makes a call, and again where the answer leaves open whether it was carried out; answers the last answer's call. */
  async call({ request, isBound, sending }: PlannedCall, isOver: IsOver = () => false): Promise<AnsweredCall> {
    const feature = featureAnswered(request);
    const version = feature === undefined ? undefined : this.#versions.get(feature);
    const asked = {
      request: this.#recorder.parts.naming(request),
      ...(sending !== 'without key' && { key: randomUUID() }),
      ...(isBound && version !== undefined && { ifMatch: version }),
    };
    const first = this.#send(asked);
    if (sending === 'twice at once') await this.#send(asked);
    let last = await first;
    if (sending === 'again') last = await this.#send(asked);
    for (let attempt = 1; outcomeOf(last) === 'unknown' && attempt < attemptsMax && !isOver(); attempt += 1) {
      last = await this.#send(asked);
    }
    if (feature !== undefined && last.answer.version !== undefined) this.#versions.set(feature, last.answer.version);
    return last;
  }

  async #send(asked: Pick<AnsweredCall, 'request' | 'key' | 'ifMatch'>): Promise<AnsweredCall> {
    const { key, ifMatch, request } = asked;
    const { method, target, body } = toHttp(request);
    const headers = {
      authorization: this.#token,
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
    };
    const begin = this.#recorder.tick();
    const beganAt = Date.now();
    const {
      status,
      text,
      body: answered,
      headers: replied,
    } = await this.#service.call(method, target, { headers, body });
    const [end, endedAt] = [this.#recorder.tick(), Date.now()];
    const answer = {
      status,
      text,
      body: answered,
      ...versionIn(replied.etag),
    };
    const { calls } = this.#recorder;
    const times = { begin, end, beganAt, endedAt };
    this.#recorder.parts.note(request, answer);
    const call: AnsweredCall = { number: calls.length + 1, client: this.#name, ...asked, ...times, answer };
    calls.push(call);
    // The next call begins in another millisecond, so that the time of an event tells its call.
    while (Date.now() <= endedAt) await sleep(1);
    return call;
  }
}

/** Returns the version of a single thing; the ETag of a list names none. */
function versionIn(etag = ''): { readonly version?: number } {
  const [, version] = /^"(\d+)"$/.exec(etag) ?? [];
  return version === undefined ? {} : { version: Number(version) };
}
