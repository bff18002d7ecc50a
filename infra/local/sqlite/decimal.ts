import { Big } from 'big.js';
import { badRequest } from './store-error.ts';

const form = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** The form of nearly all numbers here, which is that in which they are kept. */
const smallInteger = /^(?:0|-?[1-9]\d{0,14})$/;

/**
 * The form in which a number is kept, so that equal ones have one text.
 * @throws StoreError for what is no number, or one beyond DynamoDB's documented limits.
 */
export function normalNumber(text: string): string {
  if (smallInteger.test(text)) return text;
  if (!form.test(text)) throw badRequest('The parameter cannot be converted to a numeric value');
  return keptText(new Big(text.replace('+', '')));
}

/** The sum of two numbers as they are kept, exactly, as the store adds. */
export function sumOf(a: string, b: string): string {
  if (smallInteger.test(a) && smallInteger.test(b)) return String(Number(a) + Number(b));
  return keptText(new Big(a).plus(b));
}

/** Below 0, 0 or above, as the first of two numbers as they are kept is less than, equal to or more than the second. */
export function compareNumbers(a: string, b: string): number {
  return new Big(a).cmp(b);
}

/** Plain digits, without an exponent. The limits are 38 digits, and 1e-130 to 9.9…e125. */
function keptText(number: Big): string {
  if (number.c.length > 38) throw badRequest('Attempting to store more than 38 significant digits in a Number');
  if (number.e > 125) {
    throw badRequest('Number overflow. Attempting to store a number with magnitude larger than supported range');
  }
  if (number.e < -130) {
    throw badRequest('Number underflow. Attempting to store a number with magnitude smaller than supported range');
  }
  return number.toFixed();
}
