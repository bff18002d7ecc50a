import { AssertionError, deepStrictEqual } from 'node:assert';
import type { AnsweredCall } from '../history.ts';

/** Something that no order of the calls explains. */
export interface Anomaly {
  readonly message: string;
  /** The calls that it is about. */
  readonly calls: readonly AnsweredCall[];
  /** The feature that it is about, if it is about one. */
  readonly feature?: string;
}

const linesMax = 30;

/** Returns the lines in which two values differ; empty if they are equal. */
export function difference(actual: unknown, expected: unknown): string {
  try {
    deepStrictEqual(actual, expected);
    return '';
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    const lines = error.message.split('\n').slice(1);
    return [...lines.slice(0, linesMax), ...(lines.length > linesMax ? ['…'] : [])].join('\n');
  }
}
