import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { stackName } from './cdk.ts';
import { buses, callEmulated, callEmulatedLambda, sqs } from './emulated.ts';
import { emulatedAccount, region } from './environment.ts';
import { RehearsalProblem } from './problem.ts';
import { until } from './step.ts';

const bus = 'flags';

/** The choices that let the functions reach a receiver on this machine, and a bus of the emulator. */
export const backgroundChoices = {
  INTEGRATION_ALLOWED_HOSTS: '127.0.0.1',
  eventBuses: `arn:aws:events:${region}:${emulatedAccount}:event-bus/${bus}`,
};

/** The most that something may take by a doorbell, and by a clock, which rings each minute. */
const doorbellMs = 10_000;
const clockMs = 130_000;

/** Calls the deployed API as the holder of a token. */
type Call = (
  token: string,
  method: string,
  path: string,
  body?: object,
) => Promise<{ readonly [name: string]: unknown }>;

/** Returns a caller of the API at an address, which throws RehearsalProblem where it is refused. */
export function openDeployedApi(url: string): Call {
  return async (authorization, method, path, body) => {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const answer = await response.text();
    if (!response.ok) throw new RehearsalProblem(`${method} ${path} answers ${response.status}: ${answer}`);
    return answer === '' ? {} : JSON.parse(answer);
  };
}

/**
 * Proves that a webhook and a bus of EventBridge get what is changed, by the doorbell and by the clock alone, and that the clock
 * runs while there is an integration, and no longer.
 * @throws RehearsalProblem with what did not happen in time.
 */
export async function checkSending(endpoint: string, call: Call, token: string): Promise<void> {
  await using receiver = await receive();
  const clockIs = async (state: string) =>
    (await callEmulated(endpoint, buses, 'DescribeRule', { Name: `${stackName}-sending` })).State === state;
  await until('the clock stops without an integration', clockMs, () => clockIs('DISABLED'));
  const receiveFromBus = await queueOf(endpoint);
  const add = (provider: string, parameters: object) =>
    call(token, 'POST', '/api/admin/addons', { provider, parameters, enabled: true, events: ['feature-created'] });
  const added = [
    await add('webhook', { url: receiver.url }),
    await add('eventbridge', { busArn: backgroundChoices.eventBuses }),
  ];
  await until('the clock runs for an integration', doorbellMs, () => clockIs('ENABLED'));

  const arrives = async (name: string, withinMs: number) => {
    await call(token, 'POST', '/api/admin/projects/default/features', { name });
    const isAmong = (bodies: readonly string[]) => bodies.some((body) => body.includes(`"${name}"`));
    await until(`a webhook gets ${name}`, withinMs, async () => isAmong(receiver.bodies));
    await until(`EventBridge gets ${name}`, withinMs, async () => isAmong(await receiveFromBus()));
  };
  await arrives('by-doorbell', doorbellMs);
  await ringDoorbell(endpoint, false);
  await arrives('by-clock', clockMs);
  await ringDoorbell(endpoint, true);

  for (const { id } of added) await call(token, 'DELETE', `/api/admin/addons/${id}`);
  await until('the clock stops after the last integration', clockMs, () => clockIs('DISABLED'));
}

/** Makes the bus, with a queue at its end. @returns the reader of all bodies that were put on the bus. */
async function queueOf(endpoint: string): Promise<() => Promise<string[]>> {
  const ofBus = { EventBusName: bus, Rule: bus };
  await callEmulated(endpoint, buses, 'CreateEventBus', { Name: bus });
  const { QueueUrl } = await callEmulated(endpoint, sqs, 'CreateQueue', { QueueName: bus });
  const EventPattern = JSON.stringify({ source: ['flagstaff'] });
  await callEmulated(endpoint, buses, 'PutRule', { Name: bus, EventBusName: bus, EventPattern });
  const Arn = `arn:aws:sqs:${region}:${emulatedAccount}:${bus}`;
  await callEmulated(endpoint, buses, 'PutTargets', { ...ofBus, Targets: [{ Id: bus, Arn }] });
  const bodies: string[] = [];
  return async () => {
    const { Messages = [] } = await callEmulated(endpoint, sqs, 'ReceiveMessage', {
      QueueUrl,
      MaxNumberOfMessages: 10,
    });
    bodies.push(...(Messages as { readonly Body: string }[]).map(({ Body }) => Body));
    return bodies;
  };
}

/** Lets the table's stream call the function that sends, or not. */
async function ringDoorbell(endpoint: string, Enabled: boolean): Promise<void> {
  const { EventSourceMappings } = await callEmulatedLambda(endpoint, 'GET', 'event-source-mappings/');
  const mappings = EventSourceMappings as { readonly UUID: string; readonly FunctionArn: string }[];
  const [doorbell] = mappings.filter(({ FunctionArn }) => FunctionArn.includes('sending'));
  if (doorbell === undefined) throw new RehearsalProblem('No stream calls the function that sends.');
  await callEmulatedLambda(endpoint, 'PUT', `event-source-mappings/${doorbell.UUID}`, { Enabled });
}

/**
 * Proves that a change that was approved is made at its time, by the function that the clock calls.
 * @param author an Admin who is a person, unlike the holder of the token that prepares.
 */
export async function checkSchedule(call: Call, token: string, author: string): Promise<void> {
  const project = '/api/admin/projects/default';
  const rules = { changeRequestsEnabled: true, requiredApprovals: 1, selfApproval: 'admin' };
  await call(token, 'PUT', `${project}/environments/production/change-requests/config`, rules);
  const feature = 'by-schedule';
  await call(token, 'POST', `${project}/features`, { name: feature });
  const change = { feature, action: 'updateEnabled', payload: { enabled: true } };
  const { id } = await call(author, 'POST', `${project}/environments/production/change-requests`, [change]);
  const bring = (state: string, more: object = {}) =>
    call(author, 'PUT', `${project}/change-requests/${id}/state`, { state, ...more });
  await bring('In review');
  await bring('Approved');
  await bring('Scheduled', { scheduledAt: new Date(Date.now() + 10_000).toISOString() });
  const isApplied = async () => (await call(author, 'GET', `${project}/change-requests/${id}`)).state === 'Applied';
  await until('a schedule is applied', clockMs, isApplied);
  await call(token, 'PUT', `${project}/environments/production/change-requests/config`, {
    changeRequestsEnabled: false,
  });
}

/** Takes requests at an address of this machine, and keeps their bodies. */
async function receive() {
  const bodies: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    bodies.push(await text(incoming));
    outgoing.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    bodies,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
