import { randomUUID } from 'node:crypto';
import { ApiError, invalid } from '../errors.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import type { Receipt } from '../store/transactions/receipt.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';
import { isUnexpired } from '../values/time.ts';
import {
  type AnswerItem,
  answerItem,
  type ClaimItem,
  claimItem,
  type KeptReply,
  type PartItem,
  partItem,
  unchangedSince,
} from './kept-items.ts';
import * as requestKeys from './keys.ts';
import type { RequestIdentity } from './request-identity.ts';

/** Another request under this key has got ahead of this one, which has changed nothing. */
export class KeptAlready extends Error {
  override readonly name = 'KeptAlready';
}

type KeptItem = Key & Partial<AnswerItem & PartItem> & Pick<AnswerItem, 'expiresAtSeconds' | 'version'>;

/**
 * The receipt of a request that may come again. Its answer is written in the transaction that carries it out, so there is
 * one exactly when the other is. A request of several transactions claims the item of its answer before the first of
 * them. So of requests that come at the same time one gets there first, and the others find its claim or its answer.
 */
export class KeptRequest implements Receipt {
  readonly #request: Request;
  readonly #identity: RequestIdentity;
  readonly #replyTo: (result: unknown) => KeptReply;
  readonly #isSecret: boolean;
  #found: readonly KeptItem[] = [];
  #isWritten = false;

  /**
   * @param request the one that is carried out; this adds nothing to it that is not asked for.
   * @param isSecret whether the reply holds what is shown once and kept nowhere.
   */
  constructor(request: Request, identity: RequestIdentity, replyTo: (result: unknown) => KeptReply, isSecret: boolean) {
    this.#request = request;
    this.#identity = identity;
    this.#replyTo = replyTo;
    this.#isSecret = isSecret;
  }

  /**
   * The answer, if the request was carried out.
   * @throws ApiError 400 where the key stands for another request, or for an answer that held a secret; 413 for an answer
   * that was too large to be kept.
   */
  async load(): Promise<KeptReply | undefined> {
    this.#found = await queryAll<KeptItem>(this.#request, requestKeys.allKept(this.#identity.id));
    const alive = this.#found.filter(isUnexpired);
    const ours: readonly unknown[] = [undefined, this.#identity.fingerprint, this.#identity.earlierFingerprint];
    if (alive.some(({ fingerprint }) => !ours.includes(fingerprint))) {
      throw invalid('This idempotency-key was used for another request; every request needs a key of its own.');
    }
    const kept = alive.find(({ status }) => status !== undefined);
    if (kept === undefined) return undefined;
    const { status = 0, headers = '{}', text = null, isSecret } = kept;
    if (isSecret) {
      throw invalid('This request was carried out. Its response held a secret, which is shown only once.');
    }
    if (text === null) {
      throw new ApiError('ContentTooLarge', 'The request was carried out; its response was too large to be stored.');
    }
    return { status, headers: JSON.parse(headers), text };
  }

  resultWrite(result: unknown): Write {
    const key = requestKeys.keptRequest(this.#identity.id);
    const before = this.#foundUnder(key);
    const item = answerItem(this.#identity.fingerprint, this.#replyTo(result), before, this.#isSecret);
    return { put: key, item: { ...item }, when: unchangedSince(before), otherwise: () => new KeptAlready() };
  }

  markWritten(): void {
    this.#isWritten = true;
  }

  /**
   * Keeps the answer to a request that is through; one that had nothing to write has not kept it yet. Where anybody may have
   * sent that, nothing is kept, or they could fill the store.
   */
  async complete(result: unknown): Promise<void> {
    if (this.#isWritten || (this.#identity.isAnybodys && this.#found.length === 0)) return;
    await retryLostRaces(this.#request, () => transact(this.#request, [this.resultWrite(result)], undefined));
  }

  get begun(): string | undefined {
    return this.#found.filter(isUnexpired).find(({ begun }) => begun !== undefined)?.begun;
  }

  beginning(note: string): Receipt {
    const key = requestKeys.keptRequest(this.#identity.id);
    const before = this.#foundUnder(key);
    const item = { ...claimItem(this.#identity.fingerprint, before, note) };
    return {
      begun: undefined,
      beginning: (other) => this.beginning(other),
      resultWrite: () => ({ put: key, item, when: unchangedSince(before), otherwise: () => new KeptAlready() }),
      markWritten: () => this.#noteFound({ ...key, ...item }),
      claim: () => this.claim(),
      partWrite: (names) => this.partWrite(names),
      completedParts: () => this.completedParts(),
    };
  }

  async claim(): Promise<void> {
    const key = requestKeys.keptRequest(this.#identity.id);
    const before = this.#foundUnder(key);
    if (before !== undefined && isUnexpired(before)) return;
    const item = { ...claimItem(this.#identity.fingerprint, before) };
    try {
      await transact(
        this.#request,
        [{ put: key, item, when: unchangedSince(before), otherwise: () => new KeptAlready() }],
        undefined,
      );
      this.#noteFound({ ...key, ...item });
    } catch (error) {
      if (!(error instanceof KeptAlready)) throw error;
      // It may be claimed by the same request only.
      if ((await this.load()) !== undefined) throw error;
    }
  }

  partWrite(names: readonly string[]): Write {
    return { put: requestKeys.keptPart(this.#identity.id, randomUUID()), item: partItem(names), when: 'absent' };
  }

  async completedParts(): Promise<ReadonlySet<string>> {
    if ((await this.load()) !== undefined) throw new KeptAlready();
    return new Set(
      this.#found
        .filter((item) => item.names !== undefined && isUnexpired(item))
        .flatMap(({ names = '[]' }): string[] => JSON.parse(names)),
    );
  }

  #noteFound(item: KeptItem): void {
    this.#found = [...this.#found.filter(({ sk }) => sk !== item.sk), item];
  }

  #foundUnder({ sk }: Key): (KeptItem & ClaimItem) | undefined {
    return this.#found.find((item): item is KeptItem & ClaimItem => item.sk === sk);
  }
}
