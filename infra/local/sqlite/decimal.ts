import { Big } from 'big.js';
import { badRequest } from './store-error.ts';

const form = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Nearly all numbers here have this form. They are stored unchanged. */
const smallInteger = /^(?:0|-?[1-9]\d{0,14})$/;

/**
 * Returns a number as it is stored: equal numbers have equal texts.
 * @throws StoreError for text that is not a number, or is beyond DynamoDB's documented limits.
 */
export function normalizeNumber(text: string): string {
  if (smallInteger.test(text)) return text;
  if (!form.test(text)) throw badRequest('The parameter cannot be converted to a numeric value');
  return format(new Big(text.replace('+', '')));
}

/** Adds two stored numbers exactly. */
export function addNumbers(a: string, b: string): string {
  if (smallInteger.test(a) && smallInteger.test(b)) return String(Number(a) + Number(b));
  return format(new Big(a).plus(b));
}

/** Compares two stored numbers: returns a negative number, 0 or a positive one, as a sort function does. */
export function compareNumbers(a: string, b: string): number {
  return new Big(a).cmp(b);
}

/** Returns plain digits, without an exponent. The limits are 38 digits, and 1e-130 to 9.9…e125. */
function format(number: Big): string {
  if (number.c.length > 38) throw badRequest('Attempting to store more than 38 significant digits in a Number');
  if (number.e > 125) {
    throw badRequest('Number overflow. Attempting to store a number with magnitude larger than supported range');
  }
  if (number.e < -130) {
    throw badRequest('Number underflow. Attempting to store a number with magnitude smaller than supported range');
  }
  return number.toFixed();
}
