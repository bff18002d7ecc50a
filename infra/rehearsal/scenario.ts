import { isDeepStrictEqual } from 'node:util';
import { fetchAdminToken } from './admin-token.ts';
import { bootstrap, type Deployment, deploy, destroy, stackName } from './cdk.ts';
import { deleteStack, stackExists } from './cloud-formation.ts';
import { runContract } from './contract.ts';
import { gatewayUrl, getByHost } from './gateway.ts';
import { leftovers } from './leftovers.ts';
import { RehearsalProblem } from './problem.ts';
import type { ProcessOptions } from './processes.ts';
import { step } from './step.ts';

/** What the scenario came to. */
export interface Figures {
  readonly resources: number;
  /** How many checks of the contract held. */
  readonly checks: number;
}

/** An answer that shows whether data are still there: it counts all features that are on. */
const shown = '/api/admin/environments';

/**
 * Does what an operator does with a stack, from the first deployment to the last, and looks at the service in between.
 * @throws RehearsalProblem with the first thing that is not as it should be.
 */
export async function playScenario(endpoint: string, directory: string, options: ProcessOptions): Promise<Figures> {
  await step('cdk bootstrap', () => bootstrap(directory, options));
  const first = await step('cdk deploy', () => deploy(directory, 'first', options), describeSize);
  const { Url = '', TableName: tableName = '' } = first.outputs;
  const adminToken = await step('fetch the first admin token', () => fetchAdminToken(endpoint, first.outputs));
  const service = { url: gatewayUrl(endpoint, Url), adminToken, tableName };
  const look = () => getByHost(endpoint, Url, shown, adminToken);
  const checkContract = () => runContract(service, directory, options);

  await step('call the API by its own host name', look);
  const checks = await step('the contract', checkContract, describeChecks);

  const before = await look();
  await step('cdk deploy again: no change to the stack, the token or the data', async () => {
    assertSame(first, await deploy(directory, 'second', options));
    const token = await fetchAdminToken(endpoint, first.outputs);
    if (token !== adminToken) throw new RehearsalProblem('The token changed.');
    if (!isDeepStrictEqual(await look(), before)) throw new RehearsalProblem('The data changed.');
  });
  const checksAgain = await step('the contract again, on the same data', checkContract, describeChecks);

  await step('cdk destroy', () => remove(endpoint, directory, options), String);
  return { resources: resourcesIn(first), checks: checks + checksAgain };
}

function resourcesIn({ template }: Deployment): number {
  return Object.keys(JSON.parse(template).Resources).length;
}

function describeSize(deployment: Deployment): string {
  return `${resourcesIn(deployment)} resources, a template of ${Math.ceil(deployment.template.length / 1024)} kB`;
}

function describeChecks(count: number): string {
  return `${count} checks`;
}

/** @throws RehearsalProblem when one deployment differs from the other. */
function assertSame(first: Deployment, second: Deployment): void {
  if (first.template !== second.template) throw new RehearsalProblem('Synthesised twice, the template differs.');
  if (!second.isUnchanged) throw new RehearsalProblem('The CDK does not say that nothing changed.');
  if (!isDeepStrictEqual(first.outputs, second.outputs)) throw new RehearsalProblem('The outputs changed.');
}

/**
 * Removes the stack, which is to leave neither a table nor a secret behind.
 * @returns how that went.
 * @throws RehearsalProblem when something is left.
 */
async function remove(endpoint: string, directory: string, options: ProcessOptions): Promise<string> {
  const { code } = await destroy(directory, options);
  // The CLI names the stack by its id, which the emulator does not look for: it says yes and deletes nothing.
  const isByName = await stackExists(endpoint, stackName);
  if (isByName) await deleteStack(endpoint, stackName);
  const left = await leftovers(endpoint);
  if (left.length > 0) throw new RehearsalProblem(`The stack left behind: ${JSON.stringify(left)}`);
  const reason = `it ended with ${code}, since the emulator deletes no stack by its id; deleted by its name, `;
  return `${isByName ? reason : ''}nothing is left`;
}
