import type { ApiError } from '../errors.ts';
import type { Request } from '../request.ts';
import { type Key, keyText } from '../store/client/definition.ts';
import { readItem } from '../store/read.ts';
import { type Authority, type Standing, standingAfter, standingNow } from '../store/transactions/authority.ts';
import { keyOfWrite } from '../store/transactions/merge-writes.ts';
import type { Write } from '../store/transactions/write.ts';
import {
  type Caller,
  callerFrom,
  forgetUser,
  type Holder,
  hasExpired,
  holderOf,
  type Reliance,
  standingBehind,
} from './caller.ts';
import type { Token } from './tokens/tokens.ts';

/** The rights of a caller as they are when the request is carried out, not as they were remembered. */
export class CallerAuthority implements Authority {
  readonly #request: Request;
  readonly #token: Token;
  readonly #refusal: () => ApiError;
  readonly #reliedOn = new Map<string, Reliance>();
  /** Conditions on items that this request itself has written, as it has left them; undefined for those that it has removed. */
  readonly #changed = new Map<string, Standing | undefined>();
  #credential: Standing;
  #holder: Holder | undefined;

  /**
   * @param credential the token or the session by which the caller has come.
   * @param refusal the 401 for one that has ended.
   */
  constructor(request: Request, token: Token, credential: Standing, refusal: () => ApiError) {
    this.#request = request;
    this.#token = token;
    this.#credential = credential;
    this.#refusal = refusal;
  }

  /** Loads the caller; every right that it is found to have from now on is relied on. Undefined if its user is gone. */
  async caller(): Promise<Caller | undefined> {
    this.#holder = await holderOf(this.#request, this.#token);
    return this.#holder && callerFrom(this.#holder, this.#token, (fact) => this.#reliedOn.set(fact.id, fact));
  }

  standing(): Standing[] {
    const needed = this.#holder === undefined ? [] : standingBehind(this.#holder, this.#reliedOn.values());
    const distinct = new Map([this.#credential, ...needed].map((each) => [keyText(each.check), each]));
    return [...distinct].flatMap(([id, each]) => (this.#changed.has(id) ? (this.#changed.get(id) ?? []) : [each]));
  }

  async renew(): Promise<void> {
    const { userId } = this.#token;
    if (userId !== undefined) forgetUser(this.#request, userId);
    const [credential, holder] = await Promise.all([
      readItem<Key & Pick<Token, 'expiresAt'>>(this.#request, this.#credential.check),
      holderOf(this.#request, this.#token),
    ]);
    // What was read now has all that this request has written; only what it has removed is not there.
    for (const [id, each] of this.#changed) if (each !== undefined) this.#changed.delete(id);
    const isGone =
      credential === undefined ? !this.#changed.has(keyText(this.#credential.check)) : hasExpired(credential);
    if (holder === undefined || isGone) throw this.#refusal();
    this.#holder = holder;
    if (credential !== undefined) this.#credential = standingNow({ ...credential }, this.#credential);
    for (const { holds, refusal } of this.#reliedOn.values()) if (!holds(holder.rights)) throw refusal();
  }

  changed(writes: readonly Write[]): void {
    const written = new Map(writes.map((write) => [keyText(keyOfWrite(write)), write]));
    const sources = this.#holder?.sources ?? [];
    for (const each of [this.#credential, ...sources.flatMap(({ standing }) => standing)]) {
      const id = keyText(each.check);
      const write = written.get(id);
      // Several sources may name it; it is written once.
      written.delete(id);
      if (write === undefined) continue;
      const before = this.#changed.has(id) ? this.#changed.get(id) : each;
      this.#changed.set(id, before && standingAfter(write, before));
    }
  }
}
