import { randomUUID } from 'node:crypto';
import { ApiError, invalid } from '../errors.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import type { IdempotencyRecord } from '../store/transactions/idempotency-record.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { isUnexpired } from '../values/time.ts';
import * as requestKeys from './keys.ts';
import {
  type ClaimItem,
  claimItem,
  type HttpReply,
  type PartItem,
  partItem,
  type ReplyItem,
  replyItem,
  versionCondition,
} from './record-items.ts';
import type { RequestIdentity } from './request-identity.ts';

/** The error of a request that has changed nothing because another request with the same key was faster. */
export class IdempotencyKeyTaken extends Error {
  override readonly name = 'IdempotencyKeyTaken';
}

type RecordItem = Key & Partial<ReplyItem & PartItem> & Pick<ReplyItem, 'expiresAtSeconds' | 'version'>;

/**
 * The record of a request with an idempotency key. The transaction that carries the request out also writes the reply, so
 * either both are stored or neither. A request of several transactions writes a claim under the key of the reply before the
 * first of them. Of concurrent requests with the same key one is first; the others find its claim or its reply.
 */
export class StoredIdempotencyRecord implements IdempotencyRecord {
  readonly #request: Request;
  readonly #identity: RequestIdentity;
  readonly #replyTo: (result: unknown) => HttpReply;
  readonly #isSecret: boolean;
  #items: readonly RecordItem[] = [];
  #isWritten = false;

  /**
   * @param request the request that is carried out; reads and writes of the idempotency record are made with it.
   * @param isSecret true if the reply contains a secret that is shown only once.
   */
  constructor(request: Request, identity: RequestIdentity, replyTo: (result: unknown) => HttpReply, isSecret: boolean) {
    this.#request = request;
    this.#identity = identity;
    this.#replyTo = replyTo;
    this.#isSecret = isSecret;
  }

  /**
   * Loads the reply; undefined if the request was not carried out yet.
   * @throws ApiError 400 if the key belongs to another request, or the reply contained a secret; 413 if the reply was too large
   * to be kept.
   */
  async load(): Promise<HttpReply | undefined> {
    this.#items = await queryAll<RecordItem>(this.#request, requestKeys.allItems(this.#identity.id));
    const unexpired = this.#items.filter(isUnexpired);
    const ours: readonly unknown[] = [undefined, this.#identity.fingerprint, this.#identity.earlierFingerprint];
    if (unexpired.some(({ fingerprint }) => !ours.includes(fingerprint))) {
      throw invalid('This idempotency-key was used for another request; every request needs a key of its own.');
    }
    const reply = unexpired.find(({ status }) => status !== undefined);
    if (reply === undefined) return undefined;
    const { status = 0, headers = '{}', text = null, isSecret } = reply;
    if (isSecret) {
      throw invalid('This request was carried out. Its response contained a secret, which is shown only once.');
    }
    if (text === null) {
      throw new ApiError('ContentTooLarge', 'The request was carried out; its response was too large to be stored.');
    }
    return { status, headers: JSON.parse(headers), text };
  }

  resultWrite(result: unknown): Write {
    const before = this.#claim();
    return this.#claimWrite(
      replyItem(this.#identity.fingerprint, this.#replyTo(result), before, this.#isSecret),
      before,
    );
  }

  noteResultWritten(): void {
    this.#isWritten = true;
  }

  /**
   * Keeps the reply of a completed request that had nothing to write, and therefore no transaction that kept it. Nothing is kept
   * for an anonymous caller, who could fill the store otherwise.
   */
  async complete(result: unknown): Promise<void> {
    if (this.#isWritten || (this.#identity.isAnonymous && this.#items.length === 0)) return;
    await retryLostRaces(this.#request, () => transact(this.#request, [this.resultWrite(result)], undefined));
  }

  get firstPhaseNote(): string | undefined {
    return this.#items.filter(isUnexpired).find(({ begun }) => begun !== undefined)?.begun;
  }

  forFirstPhase(note: string): IdempotencyRecord {
    const before = this.#claim();
    const item = claimItem(this.#identity.fingerprint, before, note);
    return {
      firstPhaseNote: undefined,
      forFirstPhase: (other) => this.forFirstPhase(other),
      resultWrite: () => this.#claimWrite(item, before),
      noteResultWritten: () => this.#noteClaim(item),
      claim: () => this.claim(),
      completedPartWrite: (names) => this.completedPartWrite(names),
      loadCompletedParts: () => this.loadCompletedParts(),
    };
  }

  async claim(): Promise<void> {
    const before = this.#claim();
    if (before !== undefined && isUnexpired(before)) return;
    const item = claimItem(this.#identity.fingerprint, before);
    try {
      await transact(this.#request, [this.#claimWrite(item, before)], undefined);
      this.#noteClaim(item);
    } catch (error) {
      if (!(error instanceof IdempotencyKeyTaken)) throw error;
      // Fails if another request has claimed the key.
      if ((await this.load()) !== undefined) throw error;
    }
  }

  completedPartWrite(names: readonly string[]): Write {
    return { put: requestKeys.part(this.#identity.id, randomUUID()), item: partItem(names), when: 'absent' };
  }

  async loadCompletedParts(): Promise<ReadonlySet<string>> {
    if ((await this.load()) !== undefined) throw new IdempotencyKeyTaken();
    return new Set(
      this.#items
        .filter((item) => item.names !== undefined && isUnexpired(item))
        .flatMap(({ names = '[]' }): string[] => JSON.parse(names)),
    );
  }

  get #key(): Key {
    return requestKeys.claim(this.#identity.id);
  }

  /** Returns the claim, or the reply that replaced it, as it was last read or written. */
  #claim(): (RecordItem & ClaimItem) | undefined {
    return this.#items.find((item): item is RecordItem & ClaimItem => item.sk === this.#key.sk);
  }

  #claimWrite(item: ClaimItem, before: ClaimItem | undefined): Write {
    const when = versionCondition(before);
    return { put: this.#key, item: { ...item }, when, otherwise: () => new IdempotencyKeyTaken() };
  }

  #noteClaim(item: ClaimItem): void {
    this.#items = [...this.#items.filter(({ sk }) => sk !== this.#key.sk), { ...this.#key, ...item }];
  }
}
