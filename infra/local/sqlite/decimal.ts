import { badRequest } from './store-error.ts';

/** A number as DynamoDB keeps it: `digits` × 10^`exponent`. Its documented limits are 38 digits, and 1e-130 to 9.9…e125. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

const digitsMax = 38;
const form = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** The form of nearly all numbers here, which is that in which they are kept. */
const smallInteger = /^(?:0|-?[1-9]\d{0,14})$/;

/**
 * The form in which a number is kept, so that equal ones have one text.
 * @throws StoreError for what is no number, or one beyond the limits.
 */
export function normalNumber(text: string): string {
  return smallInteger.test(text) ? text : textOf(parse(text));
}

/** The sum, exactly, as the store adds. */
export function sumOf(a: string, b: string): string {
  if (smallInteger.test(a) && smallInteger.test(b)) return String(Number(a) + Number(b));
  const [left, right, exponent] = aligned(a, b);
  return textOf(checked({ digits: left + right, exponent }));
}

/** Below 0, 0 or above, as the first is less than, equal to or more than the second. */
export function compareNumbers(a: string, b: string): number {
  if (smallInteger.test(a) && smallInteger.test(b)) return Number(a) - Number(b);
  const [left, right] = aligned(a, b);
  return left < right ? -1 : Number(left > right);
}

/** The digits of both for the lower exponent of the two. */
function aligned(a: string, b: string): [bigint, bigint, number] {
  const [left, right] = [parse(a), parse(b)];
  const exponent = Math.min(left.exponent, right.exponent);
  const raised = (each: Decimal) => each.digits * 10n ** BigInt(each.exponent - exponent);
  return [raised(left), raised(right), exponent];
}

function parse(text: string): Decimal {
  const [, sign, whole = '', fraction = '', power = '0'] = form.exec(text) ?? [];
  if (whole + fraction === '') {
    throw badRequest('The parameter cannot be converted to a numeric value');
  }
  const digits = BigInt(whole + fraction);
  return checked({ digits: sign === '-' ? -digits : digits, exponent: Number(power) - fraction.length });
}

/** Without zeros at the end, and within the limits. */
function checked({ digits, exponent }: Decimal): Decimal {
  if (digits === 0n) return { digits, exponent: 0 };
  const text = String(digits);
  const zeros = text.length - text.replace(/0+$/, '').length;
  const count = text.replace('-', '').length - zeros;
  if (count > digitsMax) {
    throw badRequest('Attempting to store more than 38 significant digits in a Number');
  }
  const magnitude = exponent + zeros + count - 1;
  if (magnitude > 125) {
    throw badRequest('Number overflow. Attempting to store a number with magnitude larger than supported range');
  }
  if (magnitude < -130) {
    throw badRequest('Number underflow. Attempting to store a number with magnitude smaller than supported range');
  }
  return { digits: digits / 10n ** BigInt(zeros), exponent: exponent + zeros };
}

/** Plain digits, without an exponent. */
function textOf({ digits, exponent }: Decimal): string {
  if (exponent >= 0) return String(digits * 10n ** BigInt(exponent));
  const text = String(digits < 0n ? -digits : digits).padStart(1 - exponent, '0');
  return `${digits < 0n ? '-' : ''}${text.slice(0, exponent)}.${text.slice(exponent)}`;
}
