import { ScimError, type ScimType } from './scim-error.ts';

/** The most work of a request: about one comparison of a value with a condition each, which takes half a microsecond. */
const workMax = 2_000_000;

/** The work that a request may still cause. It could otherwise compare all members of all groups with a hundred conditions. */
export class ComparisonBudget {
  #left = workMax;
  readonly #error: readonly [scimType: ScimType, message: string];

  constructor(...error: readonly [scimType: ScimType, message: string]) {
    this.#error = error;
  }

  /** @throws ApiError 400 for too much work. */
  take(amount: number): void {
    this.#left -= amount;
    if (this.#left < 0) throw new ScimError(...this.#error);
  }
}
