import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runOnTable } from './commands.ts';
import { root } from './environment.ts';
import { RehearsalProblem } from './problem.ts';
import { type ProcessOptions, runProcess, tail } from './processes.ts';

/** The checks that the local server goes through with every `npm test`. */
const checks = 'test/contract/contract.test.ts';
const seedFile = 'test/contract/seed.json';
const viewer = 'contract-viewer';

export interface RehearsedService {
  /** The address where the deployed functions answer. */
  readonly url: string;
  readonly adminToken: string;
  readonly tableName: string;
}

/**
 * Runs the contract on the deployed functions.
 * @returns how many checks there were, all of them good.
 * @throws RehearsalProblem that names each check that failed, and why.
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
    ['run', checks, '--reporter=dot', '--reporter=json', `--outputFile=${report}`],
    {
      env: {
        ...env,
        CONTRACT_URL: url,
        CONTRACT_ADMIN_TOKEN: adminToken,
        CONTRACT_VIEWER_TOKEN: await runOnTable('token', ['--user', viewer, '--role', 'Viewer'], tableName, {
          env,
          signal,
        }),
        // With a store named, the tests start none of their own, which they would not use here.
        DYNAMODB_ENDPOINT: env.AWS_ENDPOINT_URL,
      },
      signal,
    },
  );
  if (code !== 0) throw new RehearsalProblem(`The contract does not hold:\n${tail(output, 200)}`);
  const { numPassedTests, numTotalTests } = JSON.parse(await readFile(report, 'utf8'));
  if (numPassedTests === 0 || numPassedTests !== numTotalTests) {
    throw new RehearsalProblem(`Only ${numPassedTests} of ${numTotalTests} checks were made.`);
  }
  return numPassedTests;
}
