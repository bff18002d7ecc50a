import { ScimError, type ScimType } from './scim-error.ts';

/** The most comparisons of a value with a condition in a request. Each takes about half a microsecond. */
const comparisonsMax = 2_000_000;

/** The comparisons that a request may still cause. Without it, a request could compare all members of all groups with a hundred conditions. */
export class ComparisonBudget {
  #left = comparisonsMax;
  readonly #error: readonly [scimType: ScimType, message: string];

  constructor(...error: readonly [scimType: ScimType, message: string]) {
    this.#error = error;
  }

  /** Takes comparisons from the budget. @throws ApiError 400 for too many. */
  take(amount: number): void {
    this.#left -= amount;
    if (this.#left < 0) throw new ScimError(...this.#error);
  }
}
