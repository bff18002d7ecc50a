import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { LogWatch, logWatch } from './log-watch.ts';

const token = 'user:0123456789abcdef';

function leaksOf(line: string, ...secrets: readonly unknown[]): string[] {
  const watch = new LogWatch();
  watch.allow('GET /api/admin/projects/validate');
  for (const secret of secrets) watch.keepTexts(secret);
  watch.read('{"level":"INFO","message":"answered"}\n');
  watch.read(`${line}\n`);
  return watch.leaks();
}

describe('the watch over the log', () => {
  test('finds nothing where nothing secret is written', () => {
    expect(leaksOf('{"status":200}', 'correct horse battery')).toEqual([]);
  });

  test.each([
    ['a text', 'correct horse battery', '{"header":"correct horse battery"}'],
    ['a text within another', 'correct horse battery', '{"stack":"Error: correct horse battery is wrong"}'],
    ['a text that is escaped in JSON', 'say "correct" and\nhorse', '{"body":"say \\"correct\\" and\\nhorse"}'],
    [
      'a parameter of an addon',
      { addons: [{ parameters: { url: 'https://hooks.test/x' } }] },
      'to https://hooks.test/x',
    ],
  ])('finds %s', (_what, secret, line) => {
    expect(leaksOf(line, secret)).toHaveLength(1);
  });

  test('finds a token, and the hash that the store knows it by', () => {
    const watch = new LogWatch();
    watch.keepToken('tok-0123456789');
    watch.read(`{"hash":"${createHash('sha256').update('tok-0123456789').digest('hex')}"}`);
    watch.read('{"authorization":"tok-0123456789"}');
    expect(watch.leaks()).toHaveLength(2);
  });

  test.each(['*:*.x', token, 'Bearer x'])('finds what looks like a token, though nobody has sent it: %s', (text) => {
    expect(leaksOf(`{"header":"${text}"}`)).toHaveLength(1);
  });

  test.each([
    ['in the place of the request', `{"requestId":"${token}"}`],
    ['in the place of the time', `{"timestamp":"${token}"}`],
    ['in the place of a number', `{"durationMs":"${token}"}`],
  ])('finds it %s, which differs from line to line', (_where, line) => {
    expect(leaksOf(line, token).length).toBeGreaterThan(0);
  });

  test('ignores what is part of a route, or so short that it may be chance', () => {
    expect(leaksOf('{"route":"GET /api/admin/projects/validate"}', 'validate', 'level')).toEqual([]);
  });

  test('reads what the service writes to stdout and what is said on the console', () => {
    process.stdout.write('{"planted":"a line that was planted"}\n');
    const { length } = logWatch.leaks();
    logWatch.keepTexts('a line that was planted');
    expect(logWatch.leaks()).toHaveLength(length + 1);
    logWatch.allow('a line that was planted');
  });
});
