import { afterAll, expect } from 'vitest';
import { logWatch } from './log-watch.ts';
import { watchOutput } from './watched-output.ts';

/**
 * Runs before each test file, in its process. When the tests of the file are done, nothing that was written meanwhile
 * may contain a token, a header or a part of a body.
 */
watchOutput();
logWatch.reset();

afterAll(() =>
  expect(logWatch.leaks().slice(0, 10), 'Tokens, headers or bodies were written, perhaps by a test itself').toEqual([]),
);
