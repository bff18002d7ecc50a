import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/harness/store.ts'],
    setupFiles: ['test/harness/watch-logs.ts'],
    // A process for each file: handlers find their table through process.env, which no two files may share.
    pool: 'forks',
    isolate: true,
    // They wait for the store and for processes much of the time, so that more workers than processors pay.
    maxWorkers: '150%',
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Everything is logged and measured as it is in Lambda, for `watch-logs` to read; none of it is shown.
    env: { LOG_LEVEL: 'DEBUG', AWS_LAMBDA_FUNCTION_NAME: 'test' },
  },
});
