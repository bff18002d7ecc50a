import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { backgroundChoices, checkSchedule, checkSending, openDeployedApi } from './background.ts';
import { bootstrap, choices, type DeployedStack, deploy, deployInVain, destroy, stackName } from './cdk.ts';
import { deleteStack, stackExists } from './cloud-formation.ts';
import { runOnTable } from './commands.ts';
import { runContract } from './contract.ts';
import { callEmulated, dynamoDb, logs } from './emulated.ts';
import { gatewayUrl, getByHost } from './gateway.ts';
import { RehearsalProblem } from './problem.ts';
import type { ProcessOptions } from './processes.ts';
import { assertProtected, backUpTable, protectTable, removeTable, restoreTable } from './restored-table.ts';
import { step } from './step.ts';
import { unsupportedTypes } from './unsupported.ts';

/** The figures of a scenario. */
export interface Figures {
  readonly resources: number;
  /** The number of checks of the contract that held. */
  readonly checks: number;
}

/** An answer that shows whether data are still there: it counts all features that are on. */
const shown = '/api/admin/environments';
const restoredName = 'flagstaff-restored';
const byHandName = 'flagstaff-by-hand';
/**
 * The method for changes of a stack: before it makes a change set, the CDK deletes one that is not there, which the
 * emulator refuses.
 */
const direct = ['--method', 'direct'];

/**
 * Takes a stack through its life as an operator does, from the first deployment to the last, and checks the service in
 * between.
 * @throws RehearsalProblem with the first thing that is not as it should be.
 */
export async function playScenario(endpoint: string, directory: string, options: ProcessOptions): Promise<Figures> {
  const chosen: Readonly<Record<string, string>> = { ...choices(), ...backgroundChoices };
  await step('cdk bootstrap', () => bootstrap(directory, options));
  const first = await step('cdk deploy', () => deploy(directory, { name: 'first', chosen }, options), describeSize);
  const { Url = '', TableName: tableName = '' } = first.outputs;
  const adminToken = await step('make the first admin token', () =>
    runOnTable('token', ['--admin', '--name', 'first'], tableName, options),
  );
  const service = { url: gatewayUrl(endpoint, Url), adminToken, tableName };
  const look = () => getByHost(endpoint, Url, shown, adminToken);
  const checkContract = () => runContract(service, directory, options);

  await step('call the API by its own host name', look);
  const checks = await step('the contract', checkContract, describeChecks);

  const before = await look();
  const assertSameData = async () => {
    if (!isDeepStrictEqual(await look(), before)) throw new RehearsalProblem('The data changed.');
  };
  await step('cdk deploy again: no change to the stack or the data', async () => {
    assertSame(first, await deploy(directory, { name: 'second', chosen }, options));
    await assertSameData();
  });
  await step('cdk deploy without an earlier choice: refused, nothing changes', async () => {
    const { ephemeral: _, ...others } = chosen;
    const printed = await deployInVain(directory, { name: 'forgetful', chosen: others, flags: direct }, options);
    if (!printed.includes('ChoiceEphemeral')) throw new RehearsalProblem(`It does not name the choice:\n${printed}`);
    await assertSameData();
  });
  const checksAgain = await step('the contract again, on the same data', checkContract, describeChecks);

  await step('integrations get changes, by the doorbell and by the clock; a schedule is applied', async () => {
    const author = await runOnTable('token', ['--user', 'author', '--role', 'Admin'], tableName, options);
    const call = openDeployedApi(service.url);
    await Promise.all([checkSending(endpoint, call, adminToken), checkSchedule(call, adminToken, author)]);
  });

  const last = await look();
  const assertLast = async () => {
    if (!isDeepStrictEqual(await look(), last)) throw new RehearsalProblem('The data changed.');
  };
  await step('keep the table in a file, and fill it with that', async () => {
    const file = join(directory, 'kept.gz');
    await runOnTable('backup', ['--to', file], tableName, options);
    await runOnTable('restore', ['--from', file, '--replace'], tableName, options);
    await assertLast();
  });
  await step('restore the table, and give the restored one by hand what it lacks', async () => {
    await restoreTable(endpoint, await backUpTable(endpoint, tableName), byHandName);
    await protectTable(endpoint, byHandName);
    await assertProtected(endpoint, byHandName);
    await removeTable(endpoint, byHandName);
  });
  await step('restore the table, and deploy the stack on the restored one', async () => {
    await restoreTable(endpoint, await backUpTable(endpoint, tableName), restoredName);
    const props = { name: 'restored', chosen: { ...chosen, tableName: restoredName } };
    await deploy(directory, { ...props, flags: [...direct, '--no-previous-parameters'] }, options);
    await assertProtected(endpoint, restoredName);
    await assertLast();
  });

  await step('cdk destroy', () => remove(endpoint, directory, options), String);
  return { resources: resourcesIn(first), checks: checks + checksAgain };
}

function resourcesIn({ templates }: DeployedStack): number {
  const counts = [...templates.values()].map((text) => Object.keys(JSON.parse(text).Resources).length);
  return counts.reduce((sum, count) => sum + count, 0);
}

function describeSize(deployment: DeployedStack): string {
  const { size } = deployment.templates;
  return `${resourcesIn(deployment)} resources in ${size} templates, but those of ${unsupportedTypes.join(', ')}`;
}

function describeChecks(count: number): string {
  return `${count} checks`;
}

/** @throws RehearsalProblem when one deployment differs from the other. */
function assertSame(first: DeployedStack, second: DeployedStack): void {
  if (!isDeepStrictEqual(first.templates, second.templates)) {
    throw new RehearsalProblem('Synthesised twice, the templates differ.');
  }
  if (!second.isUnchanged) throw new RehearsalProblem('The CDK does not say that nothing changed.');
  if (!isDeepStrictEqual(first.outputs, second.outputs)) throw new RehearsalProblem('The outputs changed.');
}

/**
 * Removes the stack, which is to leave nothing behind but the restored table, which was never its own.
 * @returns how that went.
 * @throws RehearsalProblem when something else is left.
 */
async function remove(endpoint: string, directory: string, options: ProcessOptions): Promise<string> {
  const { code } = await destroy(directory, options);
  // The CLI names the stack by its id, which the emulator does not look for: it says yes and deletes nothing.
  const isByName = await stackExists(endpoint, stackName);
  if (isByName) await deleteStack(endpoint, stackName);
  await removeTable(endpoint, restoredName);
  // Tables may outlive a stack, and so may the log groups that it names.
  const { TableNames = [] } = await callEmulated(endpoint, dynamoDb, 'ListTables');
  const { logGroups = [] } = await callEmulated(endpoint, logs, 'DescribeLogGroups');
  const left = [TableNames, logGroups].flat();
  if (left.length > 0) throw new RehearsalProblem(`The stack left behind: ${JSON.stringify(left)}`);
  const reason = `it ended with ${code}, since the emulator deletes no stack by its id; deleted by its name, `;
  return `${isByName ? reason : ''}nothing is left`;
}
