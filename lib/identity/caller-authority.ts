import type { ApiError } from '../errors.ts';
import type { Request } from '../request.ts';
import { type Key, keyText } from '../store/client/definition.ts';
import { readItem } from '../store/read.ts';
import { renewCondition } from '../store/transactions/authority.ts';
import { keyOfWrite } from '../store/transactions/merge-writes.ts';
import type { RightsCondition, Write } from '../store/transactions/write.ts';
import type { Authority } from '../store/work.ts';
import {
  buildCaller,
  buildRightsConditions,
  type Caller,
  forgetUser,
  type Holder,
  hasExpired,
  loadHolder,
  type UsedRight,
} from './caller.ts';
import type { Token } from './tokens/tokens.ts';

/** The rights of a caller as they are when a transaction is carried out, not as this process remembers them. */
export class CallerAuthority implements Authority {
  readonly #request: Request;
  readonly #token: Token;
  readonly #refusal: () => ApiError;
  readonly #usedRights = new Map<string, UsedRight>();
  /** Keys of the items that this request itself has written: they no longer are what rights were derived from. */
  readonly #written = new Set<string>();
  #credential: RightsCondition;
  #holder: Holder | undefined;

  /**
   * @param credential the token or the session of the caller.
   * @param refusal the 401 for one that has ended.
   */
  constructor(request: Request, token: Token, credential: RightsCondition, refusal: () => ApiError) {
    this.#request = request;
    this.#token = token;
    this.#credential = credential;
    this.#refusal = refusal;
  }

  /** Loads the caller, and collects each right that they are found to have. Undefined if the user is gone. */
  async loadCaller(): Promise<Caller | undefined> {
    this.#holder = await loadHolder(this.#request, this.#token);
    return this.#holder && buildCaller(this.#holder, this.#token, (right) => this.#usedRights.set(right.id, right));
  }

  conditions(): RightsCondition[] {
    const rights = this.#holder === undefined ? [] : buildRightsConditions(this.#holder, this.#usedRights.values());
    const byKey = new Map([this.#credential, ...rights].map((condition) => [keyText(condition.check), condition]));
    return [...byKey].flatMap(([key, condition]) => (this.#written.has(key) ? [] : [condition]));
  }

  async renew(): Promise<void> {
    const { userId } = this.#token;
    if (userId !== undefined) forgetUser(this.#request, userId);
    const [credential, holder] = await Promise.all([
      readItem<Key & Pick<Token, 'expiresAt'>>(this.#request, this.#credential.check),
      loadHolder(this.#request, this.#token),
    ]);
    const isGone =
      credential === undefined ? !this.#written.has(keyText(this.#credential.check)) : hasExpired(credential);
    if (holder === undefined || isGone) throw this.#refusal();
    this.#holder = holder;
    if (credential !== undefined) this.#credential = renewCondition({ ...credential }, this.#credential);
    for (const { holds, refusal } of this.#usedRights.values()) if (!holds(holder.rights)) throw refusal();
  }

  noteWritten(writes: readonly Write[]): void {
    for (const write of writes) this.#written.add(keyText(keyOfWrite(write)));
  }
}
