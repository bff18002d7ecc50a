import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { hasEmbeddedStore } from './infra/local/embedded-store.ts';
import { LongestFirst } from './test/harness/longest-first.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They start and kill the embedded store, which not every platform has.
    exclude: hasEmbeddedStore() ? [] : ['test/infra/local/**', 'test/contract/**'],
    // A dot for each test, what failed, and the sums.
    reporters: ['dot'],
    globalSetup: ['test/harness/store.ts'],
    setupFiles: ['test/harness/begin-file.ts', 'test/harness/watch-logs.ts'],
    // Handlers find their table through process.env, so no two files may share a process at the same time. One after
    // the other they do, since loading the SDK and warming it up again for each file would take longer than the tests.
    pool: 'forks',
    isolate: false,
    // They wait for the store and for processes much of the time, so that more workers than processors pay.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    // They end what hangs. None of them may be reached on a machine that is busy with something else.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A CommonJS package is imported as Node and the bundles do it.
    deps: { interopDefault: false },
    // Everything is logged and measured as it is in Lambda, for `watch-logs` to read; none of it is shown.
    env: { LOG_LEVEL: 'DEBUG', AWS_LAMBDA_FUNCTION_NAME: 'test' },
  },
});
