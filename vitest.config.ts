import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/harness/store.ts'],
    // A process for each file: handlers find their table through process.env, which no two files may share.
    pool: 'forks',
    isolate: true,
    // Half of the time they wait for the store, so that a worker for each processor pays.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // A line for each of thousands of requests would hide what matters.
    env: { LOG_LEVEL: 'SILENT' },
  },
});
