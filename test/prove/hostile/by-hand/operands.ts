import type { ReadyOperation } from '../operations.ts';
import { alteredRequest, type HostileRequest } from '../request.ts';

/** Operators, one for each way to read a value. */
const operators = ['NUM_EQ', 'DATE_AFTER', 'SEMVER_EQ', 'IN'];

/** Enough for whatever takes more than its time for long texts to be noticed. */
const many = 40_000;

const operands: readonly string[] = [
  '',
  ' ',
  '-',
  '1e400',
  '-1e400',
  '1e-999999999',
  '0x10',
  '1_000',
  '१२',
  'NaN',
  'Infinity',
  '9007199254740993',
  '+275761-01-01T00:00:00Z',
  '-271822-01-01',
  '2024-02-30T25:61:61Z',
  '2024-01-01T00:00:00+99:99',
  '99999999999999999',
  '1.2.3-',
  '01.2.3',
  '1.2.3+build',
  `${'1'.repeat(many)}x`,
  `${' '.repeat(many)}1x`,
  `1${' '.repeat(many)}x`,
  `1e${'1'.repeat(many)}x`,
  `2024-${'-'.repeat(many)}`,
  `2024-01-01T00:00:00.${'1'.repeat(many)}Z!`,
  `1.2.3-${'1'.repeat(many)}!`,
  `1.2.3-${'a.'.repeat(many / 2)}!`,
  `1.2.3-${'-'.repeat(many)}!`,
  `${'1'.repeat(many)}.${'1'.repeat(10)}`,
];

/** Values of constraints that are hard to read, for every kind of operator, where the example has a constraint. */
export function* hostileOperands(operation: ReadyOperation): Generator<HostileRequest> {
  const { body } = operation;
  if (body === undefined || !body.includes('"operator":')) return;
  for (const operator of operators) {
    for (const operand of operands) {
      const text = body
        .replace(/"operator":"\w+"/, `"operator":"${operator}"`)
        .replace(/"value":"u-1"/, () => `"value":${JSON.stringify(operand)}`);
      yield alteredRequest(operation, `${operator} ${operand.slice(0, 30)}`, { body: text });
    }
  }
}
