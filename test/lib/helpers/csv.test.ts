import { expect, test } from 'vitest';
import { formatCsv } from '../../../lib/helpers/csv.ts';

test('CSV has the names of the columns in the first line, and ends each line with a line break', () => {
  expect(formatCsv(['a', 'b'], [])).toBe('a,b\r\n');
  expect(
    formatCsv(
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
  expect(formatCsv(['a'], [[value]])).toBe(`a\r\n${field}\r\n`);
});

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
])('A spreadsheet shows the value %j and does not run it', (value, field) => {
  expect(formatCsv(['a'], [[value]])).toBe(`a\r\n${field}\r\n`);
});

test.each(['1+1', 'a=b', 'alice@example.com', 'x-1', "'x"])('The value %j is not changed', (value) => {
  expect(formatCsv(['a'], [[value]])).toBe(`a\r\n${value}\r\n`);
});
