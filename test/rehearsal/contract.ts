import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './environment.ts';
import { type ProcessOptions, RehearsalProblem, runOnTable, runProcess, tail } from './processes.ts';

/** The tests that `npm test` runs against the local server. */
const testFile = 'test/contract/contract.test.ts';
const seedFile = 'test/contract/seed.json';
const viewer = 'contract-viewer';

export interface RehearsedService {
  /** The base address of the deployed API. */
  readonly url: string;
  readonly adminToken: string;
  readonly tableName: string;
}

/**
 * Runs the contract tests against the deployed functions.
 * @returns the number of tests, all of which passed.
 * @throws RehearsalProblem with the output of the tests that failed.
 */
export async function runContract(
  { url, adminToken, tableName }: RehearsedService,
  directory: string,
  { env, signal }: ProcessOptions,
): Promise<number> {
  await runOnTable('seed', [join(root, seedFile)], tableName, { env, signal });
  const report = join(directory, 'contract.json');
  const { code, output } = await runProcess(
    join(root, 'node_modules', '.bin', 'vitest'),
    ['run', testFile, '--reporter=dot', '--reporter=json', `--outputFile=${report}`],
    {
      env: {
        ...env,
        CONTRACT_URL: url,
        CONTRACT_ADMIN_TOKEN: adminToken,
        CONTRACT_VIEWER_TOKEN: await runOnTable('token', ['--user', viewer, '--role', 'Viewer'], tableName, {
          env,
          signal,
        }),
        // Without this address, the test run would start a store that these tests do not need.
        DYNAMODB_ENDPOINT: env.AWS_ENDPOINT_URL,
      },
      signal,
    },
  );
  if (code !== 0) throw new RehearsalProblem(`Contract tests failed:\n${tail(output, 200)}`);
  const { numPassedTests, numTotalTests } = JSON.parse(await readFile(report, 'utf8'));
  if (numPassedTests === 0 || numPassedTests !== numTotalTests) {
    throw new RehearsalProblem(`Only ${numPassedTests} of ${numTotalTests} contract tests passed.`);
  }
  return numPassedTests;
}
