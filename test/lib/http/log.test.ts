import { expect, test, vi } from 'vitest';
import { isLogLevel, log } from '../../../lib/http/log.ts';
import { linesWrittenBy } from '../../harness/written-lines.ts';

test.each([
  ['DEBUG', ['INFO', 'ERROR']],
  ['INFO', ['INFO', 'ERROR']],
  ['', ['INFO', 'ERROR']],
  ['WARN', ['ERROR']],
  ['ERROR', ['ERROR']],
  ['error', ['ERROR']],
  ['SILENT', []],
])('LOG_LEVEL "%s" includes %j', async (level, through) => {
  vi.stubEnv('LOG_LEVEL', level);
  const { log: lines } = await linesWrittenBy(() => {
    log('INFO', 'a line', {});
    log('ERROR', 'a line', {});
  });
  expect(lines.map((line) => line.level)).toEqual(through);
});

test("LOG_LEVEL decides, whatever Lambda's own filter includes", async () => {
  vi.stubEnv('AWS_LAMBDA_LOG_LEVEL', 'TRACE');
  vi.stubEnv('LOG_LEVEL', 'WARN');
  vi.resetModules();
  const inLambda = await import('../../../lib/http/log.ts');
  const { log: lines } = await linesWrittenBy(() => {
    inLambda.log('INFO', 'a line', {});
    inLambda.log('WARN', 'a line', {});
  });
  expect(lines.map((line) => line.level)).toEqual(['WARN']);
});

test('a line is one JSON object with the time, the level, the message and its fields', async () => {
  const { log: lines } = await linesWrittenBy(() =>
    log('INFO', 'moved', { from: 'a\nb', count: 2, missing: undefined }),
  );
  expect(lines).toEqual([
    {
      level: 'INFO',
      message: 'moved',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      service: 'flagstaff',
      sampling_rate: 0,
      from: 'a\nb',
      count: 2,
    },
  ]);
});

test('a level is one of five names, in any case', () => {
  expect(['DEBUG', 'info', 'Warn', 'ERROR', 'silent'].map(isLogLevel)).toEqual([true, true, true, true, true]);
  expect(['', 'LOUD', 'TRACE', 'INFO '].map(isLogLevel)).toEqual([false, false, false, false]);
});

test('LOG_FORMAT=text writes no JSON, but shows a person why a request failed', async () => {
  vi.stubEnv('LOG_FORMAT', 'text');
  const shown = vi.spyOn(console, 'error').mockReturnValue();
  const { log: lines } = await linesWrittenBy(() => {
    log('INFO', 'answered', { requestId: 'a', status: 200 });
    log('ERROR', 'refused', { requestId: 'b', status: 500, stack: 'Error: broken\n    at here' });
    vi.stubEnv('LOG_LEVEL', 'SILENT');
    log('ERROR', 'refused', { requestId: 'c', status: 500, stack: 'Error: broken\n    at here' });
  });
  expect(lines).toEqual([]);
  expect(shown.mock.calls).toEqual([['b: Error: broken\n    at here']]);
});
