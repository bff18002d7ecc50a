import fc, { type GeneratorValue } from 'fast-check';

/** Choices of a generator, which makes them smaller where a sequence fails. */
export class Choice {
  readonly #generate: GeneratorValue;

  constructor(generate: GeneratorValue) {
    this.#generate = generate;
  }

  of<T>(values: readonly T[]): T {
    return values[this.#generate(fc.nat, { max: values.length - 1 })] as T;
  }

  times<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.#generate(fc.integer, { min: 1, max: most }) }, make);
  }

  isLikely(probability: number): boolean {
    // Towards 0, so that what is smaller lacks it.
    return this.#generate(fc.nat, { max: 999 }) >= 1_000 * (1 - probability);
  }

  /** Members that an object has with some probability. */
  maybe<T extends object>(probability: number, make: () => T): T | undefined {
    return this.isLikely(probability) ? make() : undefined;
  }
}
