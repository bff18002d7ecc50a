import { expect, test } from 'vitest';
import { csvOf } from '../../../lib/helpers/csv.ts';

test('A table as CSV has its columns in the first line, and a line break after each', () => {
  expect(csvOf(['a', 'b'], [])).toBe('a,b\r\n');
  expect(
    csvOf(
      ['a', 'b'],
      [
        ['1', ''],
        ['x y', 'ä'],
      ],
    ),
  ).toBe('a,b\r\n1,\r\nx y,ä\r\n');
});

test.each([
  ['a,b', '"a,b"'],
  ['say "so"', '"say ""so"""'],
  ['a\rb', '"a\rb"'],
  ['a\nb', '"a\nb"'],
])('The value %j is quoted', (value, field) => {
  expect(csvOf(['a'], [[value]])).toBe(`a\r\n${field}\r\n`);
});

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
])('The value %j is no formula in a spreadsheet', (value, field) => {
  expect(csvOf(['a'], [[value]])).toBe(`a\r\n${field}\r\n`);
});

test.each(['1+1', 'a=b', 'alice@example.com', 'x-1', "'x"])('The value %j stays as it is', (value) => {
  expect(csvOf(['a'], [[value]])).toBe(`a\r\n${value}\r\n`);
});
