import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { stackName } from './cdk.ts';
import { buses, callEmulated, callEmulatedLambda, sqs } from './emulated.ts';
import { emulatedAccount, region } from './environment.ts';
import { RehearsalProblem } from './processes.ts';
import { waitUntil } from './step.ts';

const bus = 'flags';

/** The settings of the stack that let its functions call a receiver on this machine and a bus of the emulator. */
export const backgroundSettings = {
  INTEGRATION_ALLOWED_HOSTS: '127.0.0.1',
  eventBuses: `arn:aws:events:${region}:${emulatedAccount}:event-bus/${bus}`,
};

/** The time limit for work that the table's stream starts. */
const streamMs = 10_000;
/** The time limit for work that the clock starts once a minute. */
export const clockMs = 130_000;

/** Calls the deployed API with a token. */
type Call = (
  token: string,
  method: string,
  path: string,
  body?: object,
) => Promise<{ readonly [name: string]: unknown }>;

/** Returns a function that calls the API at an address, and throws RehearsalProblem if the status is not 2xx. */
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
 * Checks that a webhook and an EventBridge bus get events, both through the table's stream and through the clock alone, and
 * that the clock runs only while an integration exists.
 * @throws RehearsalProblem that names the first condition that was not met in time.
 */
export async function checkSending(endpoint: string, call: Call, token: string): Promise<void> {
  await using receiver = await startReceiver();
  const clockIs = async (state: string) =>
    (await callEmulated(endpoint, buses, 'DescribeRule', { Name: `${stackName}-sending` })).State === state;
  await waitUntil('the clock stops without an integration', clockMs, () => clockIs('DISABLED'));
  const receiveFromBus = await createBus(endpoint);
  const add = (provider: string, parameters: object) =>
    call(token, 'POST', '/api/admin/addons', { provider, parameters, enabled: true, events: ['feature-created'] });
  const integrations = [
    await add('webhook', { url: receiver.url }),
    await add('eventbridge', { busArn: backgroundSettings.eventBuses }),
  ];
  await waitUntil('the clock runs for an integration', streamMs, () => clockIs('ENABLED'));

  const checkArrival = async (name: string, withinMs: number) => {
    await call(token, 'POST', '/api/admin/projects/default/features', { name });
    const isAmong = (bodies: readonly string[]) => bodies.some((body) => body.includes(`"${name}"`));
    await waitUntil(`a webhook gets ${name}`, withinMs, async () => isAmong(receiver.bodies));
    await waitUntil(`EventBridge gets ${name}`, withinMs, async () => isAmong(await receiveFromBus()));
  };
  await checkArrival('by-stream', streamMs);
  await enableStream(endpoint, false);
  await checkArrival('by-clock', clockMs);
  await enableStream(endpoint, true);

  for (const { id } of integrations) await call(token, 'DELETE', `/api/admin/addons/${id}`);
  await waitUntil('the clock stops after the last integration', clockMs, () => clockIs('DISABLED'));
}

/**
 * Creates the bus, with a queue as its target.
 * @returns a function that reads the bodies of all events so far.
 */
async function createBus(endpoint: string): Promise<() => Promise<string[]>> {
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

/** Enables or disables the calls of the sending function by the table's stream. */
async function enableStream(endpoint: string, Enabled: boolean): Promise<void> {
  const { EventSourceMappings } = await callEmulatedLambda(endpoint, 'GET', 'event-source-mappings/');
  const mappings = EventSourceMappings as { readonly UUID: string; readonly FunctionArn: string }[];
  const [mapping] = mappings.filter(({ FunctionArn }) => FunctionArn.includes('sending'));
  if (mapping === undefined) throw new RehearsalProblem('No stream calls the sending function.');
  await callEmulatedLambda(endpoint, 'PUT', `event-source-mappings/${mapping.UUID}`, { Enabled });
}

/**
 * Checks that an approved and scheduled change request is applied on time, by the function that the clock calls.
 * @param author the token of a user with the role Admin. `token` is an admin API token, which belongs to no user.
 */
export async function checkSchedule(call: Call, token: string, author: string): Promise<void> {
  const project = '/api/admin/projects/default';
  const rules = { changeRequestsEnabled: true, requiredApprovals: 1, selfApproval: 'admin' };
  await call(token, 'PUT', `${project}/environments/production/change-requests/config`, rules);
  const feature = 'by-schedule';
  await call(token, 'POST', `${project}/features`, { name: feature });
  const change = { feature, action: 'updateEnabled', payload: { enabled: true } };
  const { id } = await call(author, 'POST', `${project}/environments/production/change-requests`, [change]);
  const moveTo = (state: string, more: object = {}) =>
    call(author, 'PUT', `${project}/change-requests/${id}/state`, { state, ...more });
  await moveTo('In review');
  await moveTo('Approved');
  await moveTo('Scheduled', { scheduledAt: new Date(Date.now() + 10_000).toISOString() });
  const isApplied = async () => (await call(author, 'GET', `${project}/change-requests/${id}`)).state === 'Applied';
  await waitUntil('a schedule is applied', clockMs, isApplied);
  await call(token, 'PUT', `${project}/environments/production/change-requests/config`, {
    changeRequestsEnabled: false,
  });
}

/** Starts a server on this machine that keeps the bodies of all requests. */
async function startReceiver() {
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
