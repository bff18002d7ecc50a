import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { hasDynamoDbServer } from './test/harness/dynamodb-server.ts';
import { LongestFirst } from './test/harness/longest-first.ts';

const withDynamoDbServer = [
  'test/infra/local/sqlite/agreement.test.ts',
  'test/infra/local/take-over.test.ts',
  'test/infra/functions/prepare-store.test.ts',
  'test/infra/stack.test.ts',
];

// A worker takes a second to compile all of the code, which only the first run of a change has to do.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/tests', import.meta.url));

const isMutated = process.env.STRYKER_MUTATOR_WORKER !== undefined;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They compare the embedded store with a server that not every platform has, or need what only that has.
    exclude: hasDynamoDbServer() ? [] : withDynamoDbServer,
    // A dot for each test, what failed, and the sums.
    reporters: ['dot'],
    globalSetup: ['test/harness/store.ts'],
    setupFiles: ['test/harness/begin-file.ts', 'test/harness/watch-logs.ts'],
    // Handlers find their table through process.env, so no two files may share a process at the same time. One after
    // the other they do, since loading the SDK and warming it up again for each file would take longer than the tests.
    pool: 'forks',
    isolate: false,
    // Each worker loads all of the code anew: more of them than processors cost a tenth more and save no time.
    maxWorkers: availableParallelism(),
    // What a request leaves behind is gone before it would be copied, which takes a twentieth of the time otherwise. Stryker
    // runs tests in threads, which take no such options.
    // And the best compiler takes more time than it saves where no code runs as often as in a server.
    execArgv: isMutated
      ? []
      : ['--min-semi-space-size=16', '--max-semi-space-size=64', '--invocation-count-for-turbofan=20000'],
    sequence: { sequencer: LongestFirst },
    // They end what hangs. None of them may be reached on a machine that is busy with something else.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Node runs the sources as they are, which are not transformed first, nor each import looked up in a table. Stryker's
    // runner needs the other way, in which a CommonJS package is imported as Node and the bundles do it.
    experimental: { viteModuleRunner: isMutated, nodeLoader: false },
    deps: { interopDefault: false },
    // Everything is logged and measured as it is in Lambda, for `watch-logs` to read; none of it is shown.
    env: { LOG_LEVEL: 'DEBUG', AWS_LAMBDA_FUNCTION_NAME: 'test' },
  },
});
