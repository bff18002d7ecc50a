import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { backgroundSettings, checkSchedule, checkSending, openDeployedApi } from './background.ts';
import {
  baseSettings,
  bootstrap,
  type DeployedStack,
  deploy,
  destroy,
  expectDeploymentFailure,
  stackName,
} from './cdk.ts';
import { createCheckpointSettings, verifyKeptCheckpoint } from './checkpoints.ts';
import { deleteStack, stackExists } from './cloud-formation.ts';
import { runContract } from './contract.ts';
import { callEmulated, dynamoDb, logs } from './emulated.ts';
import { gatewayUrl, getByHost } from './gateway.ts';
import { type ProcessOptions, RehearsalProblem, runOnTable } from './processes.ts';
import { assertProtected, backUpTable, protectTable, removeTable, restoreTable } from './restored-table.ts';
import { step } from './step.ts';
import { unsupportedTypes } from './unsupported.ts';

/** The totals of a rehearsal. */
export interface Figures {
  readonly resources: number;
  /** The number of contract tests that passed. */
  readonly checks: number;
}

/** The path of an answer that shows whether data were lost, since it counts all enabled features. */
const countsPath = '/api/admin/environments';
const restoredName = 'flagstaff-restored';
const byHandName = 'flagstaff-by-hand';
/**
 * Changes the stack without a change set. Before it creates a change set, the CDK deletes one that does not exist, which the
 * emulator refuses.
 */
const directMethod = ['--method', 'direct'];

/**
 * Deploys, changes, backs up, restores and deletes a stack, as an operator does, and checks the service after each of these.
 * @throws RehearsalProblem for the first check that fails.
 */
export async function playScenario(endpoint: string, directory: string, options: ProcessOptions): Promise<Figures> {
  const checkpointSettings = await createCheckpointSettings(endpoint);
  const settings: Readonly<Record<string, string>> = {
    ...{ ...baseSettings(), ...backgroundSettings },
    ...checkpointSettings,
  };
  await step('cdk bootstrap', () => bootstrap(directory, options));
  const first = await step('cdk deploy', () => deploy(directory, { name: 'first', settings }, options), describeSize);
  const { Url = '', TableName: tableName = '' } = first.outputs;
  const adminToken = await step('create the first admin token', () =>
    runOnTable('token', ['--admin', '--name', 'first'], tableName, options),
  );
  const service = { url: gatewayUrl(endpoint, Url), adminToken, tableName };
  const loadCounts = () => getByHost(endpoint, Url, countsPath, adminToken);
  const checkContract = () => runContract(service, directory, options);

  await step('call the API by its own host name', loadCounts);
  const checks = await step('run the contract tests', checkContract, describeChecks);

  const before = await loadCounts();
  const assertSameData = async () => {
    if (!isDeepStrictEqual(await loadCounts(), before)) throw new RehearsalProblem('The data changed.');
  };
  await step('cdk deploy again: the stack and the data do not change', async () => {
    assertSame(first, await deploy(directory, { name: 'second', settings }, options));
    await assertSameData();
  });
  await step('cdk deploy without an earlier setting is refused and changes nothing', async () => {
    const { ephemeral: _, ...others } = settings;
    const output = await expectDeploymentFailure(
      directory,
      { name: 'refused', settings: others, flags: directMethod },
      options,
    );
    if (!output.includes('ChoiceEphemeral'))
      throw new RehearsalProblem(`The error does not name the setting:\n${output}`);
    await assertSameData();
  });
  const checksAgain = await step('run the contract tests again on the same data', checkContract, describeChecks);

  await step('integrations get events through the stream and through the clock; a schedule is applied', async () => {
    const author = await runOnTable('token', ['--user', 'author', '--role', 'Admin'], tableName, options);
    const call = openDeployedApi(service.url);
    await Promise.all([checkSending(endpoint, call, adminToken), checkSchedule(call, adminToken, author)]);
  });

  const last = await loadCounts();
  const assertLast = async () => {
    if (!isDeepStrictEqual(await loadCounts(), last)) throw new RehearsalProblem('The data changed.');
  };
  await step('back up the table to a file, and restore it from that file', async () => {
    const file = join(directory, 'backup.gz');
    await runOnTable('backup', ['--to', file], tableName, options);
    await runOnTable('restore', ['--from', file, '--replace'], tableName, options);
    await assertLast();
  });
  await step('restore the table with AWS, and set its missing properties by hand', async () => {
    await restoreTable(endpoint, await backUpTable(endpoint, tableName), byHandName);
    await protectTable(endpoint, byHandName);
    await assertProtected(endpoint, byHandName);
    await removeTable(endpoint, byHandName);
  });
  const movedAt = new Date();
  const restored = await step('restore the table with AWS, and deploy the stack on the restored table', async () => {
    await restoreTable(endpoint, await backUpTable(endpoint, tableName), restoredName);
    const props = { name: 'restored', settings: { ...settings, tableName: restoredName } };
    const stack = await deploy(directory, { ...props, flags: [...directMethod, '--no-previous-parameters'] }, options);
    await assertProtected(endpoint, restoredName);
    await assertLast();
    return stack;
  });
  // A process of the clock seals events every ten minutes only. The deployment has just started a new one.
  await step(
    'the clock works on the restored table: it puts a signed checkpoint into a bucket, with which the history is verified',
    () => {
      const bucket = restored.outputs.CheckpointBucketName ?? '';
      const expected = { endpoint, bucket, keyArn: checkpointSettings.checkpointKeyArn, after: movedAt };
      return verifyKeptCheckpoint({ ...service, tableName: restoredName }, expected, directory, options);
    },
    String,
  );

  await step('cdk destroy', () => remove(endpoint, directory, options), String);
  return { resources: resourcesIn(first), checks: checks + checksAgain };
}

function resourcesIn({ templates }: DeployedStack): number {
  const counts = [...templates.values()].map((text) => Object.keys(JSON.parse(text).Resources).length);
  return counts.reduce((sum, count) => sum + count, 0);
}

function describeSize(deployment: DeployedStack): string {
  const { size } = deployment.templates;
  return `${resourcesIn(deployment)} resources in ${size} templates, without ${unsupportedTypes.join(', ')}`;
}

function describeChecks(count: number): string {
  return `${count} tests`;
}

/** @throws RehearsalProblem if the second deployment differs from the first. */
function assertSame(first: DeployedStack, second: DeployedStack): void {
  const names = new Set([...first.templates.keys(), ...second.templates.keys()]);
  const differing = [...names].filter((name) => first.templates.get(name) !== second.templates.get(name));
  if (differing.length > 0)
    throw new RehearsalProblem(`The second deployment has other templates than the first: ${differing.join(', ')}.`);
  if (!second.isUnchanged)
    throw new RehearsalProblem('The CDK does not report "no changes" for the second deployment.');
  if (!isDeepStrictEqual(first.outputs, second.outputs)) throw new RehearsalProblem('The outputs changed.');
}

/**
 * Removes the stack, and the restored table, which the stack does not own.
 * @returns a note about the result.
 * @throws RehearsalProblem if a table or a log group is left.
 */
async function remove(endpoint: string, directory: string, options: ProcessOptions): Promise<string> {
  const { code } = await destroy(directory, options);
  // The CLI names the stack by its id. The emulator does not find it by that: it reports success and deletes nothing.
  const stillExists = await stackExists(endpoint, stackName);
  if (stillExists) await deleteStack(endpoint, stackName);
  await removeTable(endpoint, restoredName);
  // CloudFormation can keep tables and named log groups when it deletes a stack.
  const { TableNames = [] } = await callEmulated(endpoint, dynamoDb, 'ListTables');
  const { logGroups = [] } = await callEmulated(endpoint, logs, 'DescribeLogGroups');
  const leftovers = [TableNames, logGroups].flat();
  if (leftovers.length > 0) throw new RehearsalProblem(`The stack left behind: ${JSON.stringify(leftovers)}`);
  const note = `exit code ${code}, since the emulator deletes no stack by its id; deleted by name, `;
  return `${stillExists ? note : ''}nothing is left`;
}
