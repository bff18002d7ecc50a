import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import type { Event } from '../../lib/events/event-schema.ts';
import { payloadSteps, providerOf, recordedIntegrations, storedEvents } from './payload-script.ts';
import { ComparedServer } from './server.ts';
import { stepsOf } from './step.ts';

const help = `Records what a fresh Unleash 7.6.5 sends to integrations, into test/fixtures/unleash-7.6-payloads.json. It must permit
private addresses (UNLEASH_ALLOW_PRIVATE_URL_IN_INTEGRATION), name its own as https://flags.example.com (UNLEASH_URL), and
find slack.com at --port, by plain HTTP. Events that only other editions make are put into its database, by psql.

  node test/compare/record-payloads.ts --with URL --token TOKEN --database postgres://…

  --port 4290    where the receiver listens
  -h, --help     this text`;

const options = {
  with: { type: 'string' },
  token: { type: 'string' },
  database: { type: 'string' },
  port: { type: 'string', default: '4290' },
} as const;

/** Payloads by the integration. */
type Payloads = Record<string, { readonly headers: Record<string, unknown>; readonly body: unknown }[]>;

/** The headers that are Unleash's own choice. */
const ownHeaders = ['authorization', 'api-key', 'content-encoding', 'content-type', 'dd-api-key', 'x-team'];
/** Unleash sends once a second, and later on a busy machine. */
const settledMs = 4_000;
/** It looks once a minute which integrations there are. */
const knownMs = 62_000;

async function record({ values }: CommandLine<typeof options>): Promise<Verdict> {
  let payloads: Payloads = {};
  const receiver = createServer(async (incoming, outgoing) => {
    const name = (incoming.url ?? '').slice(1);
    const body = await bodyOf(incoming);
    const headers = Object.entries(incoming.headers).filter(([header]) => ownHeaders.includes(header));
    payloads[name] = [...(payloads[name] ?? []), { headers: Object.fromEntries(headers), body }];
    outgoing.setHeader('content-type', 'application/json').end('{"ok":true}');
  }).listen(Number(values.port), '127.0.0.1');
  await once(receiver, 'listening');
  const kept = { flag: 'checkout', 'admin token': values.token ?? '' };
  const server = new ComparedServer('Unleash', values.with ?? '', kept);
  for (const [name, parameters] of Object.entries(recordedIntegrations)) {
    const { body: known } = await server.send(stepOf('GET /api/admin/addons'));
    const { providers } = known as {
      readonly providers: readonly { readonly name: string; readonly events: string[] }[];
    };
    const provider = providerOf(name);
    const events = providers.find((each) => each.name === provider)?.events;
    const url = `http://127.0.0.1:${values.port}/${name}`;
    const input = { provider, enabled: true, events, parameters: { ...parameters, url } };
    // A new one for Slack's webhooks is refused; what has been something else is not.
    const made = { ...input, ...(provider === 'slack' && { provider: 'webhook', events: ['feature-created'] }) };
    const { status } = await server.send({ ...stepOf('POST /api/admin/addons', made), keep: { addon: 'id' } });
    const { status: updated } = await server.send(stepOf('PUT /api/admin/addons/{addon}', input));
    if (status !== 201 || updated !== 200) console.log(`${name}: ${status}, ${updated}`);
  }
  await sleep(knownMs);
  const recorded: Record<string, Payloads> = {};
  for (const step of payloadSteps) {
    payloads = {};
    const { status } = await server.send(step);
    if (status >= 400) console.log(`${step.title}: ${status}`);
    await sleep(settledMs);
    if (Object.keys(payloads).length > 0) recorded[step.title] = payloads;
  }
  for (const event of storedEvents) {
    payloads = {};
    store(values.database ?? '', event);
    await sleep(settledMs);
    recorded[event.type] = payloads;
  }
  receiver.close();
  // A line for each step.
  const steps = Object.entries(recorded).map(([title, each]) => `${JSON.stringify(title)}:${JSON.stringify(each)}`);
  writeFileSync('test/fixtures/unleash-7.6-payloads.json', `{${steps.join(',\n')}}\n`);
  return { passed: true, summary: `${Object.keys(recorded).length} steps have made payloads.` };
}

/** Puts an event into the database, from where Unleash sends what it has not announced. */
function store(database: string, { createdAt, createdBy, type, data, preData, ...event }: Event): void {
  const text = (value: unknown) =>
    value === null ? 'null' : `$value$${typeof value === 'string' ? value : JSON.stringify(value)}$value$`;
  const row = {
    ...{
      id: event.id,
      created_at: text(createdAt),
      created_by: text(createdBy),
      created_by_user_id: event.createdByUserId,
    },
    ...{ type: text(type), data: text(data), pre_data: text(preData), tags: text(event.tags) },
    ...{ feature_name: text(event.featureName), project: text(event.project), environment: text(event.environment) },
    announced: false,
  };
  const statement = `insert into events (${Object.keys(row).join(', ')}) values (${Object.values(row).join(', ')})`;
  execFileSync('psql', ['-q', '-v', 'ON_ERROR_STOP=1', '-c', statement, database]);
}

function stepOf(send: string, body?: unknown) {
  const [step] = stepsOf({ it: body === undefined ? send : { send, body } });
  if (step === undefined) throw new Error(`There is no step in ${send}.`);
  return step;
}

/** Slack's client sends forms, in which objects are JSON. */
async function bodyOf(incoming: IncomingMessage): Promise<unknown> {
  const bytes = await buffer(incoming);
  const text = String(incoming.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes);
  if (!incoming.headers['content-type']?.includes('form')) return JSON.parse(text);
  const fields = [...new URLSearchParams(text)].map(([name, value]) => [
    name,
    /^[[{]|^(true|false)$/.test(value) ? JSON.parse(value) : value,
  ]);
  return Object.fromEntries(fields);
}

await runCommand({ name: 'record-payloads', help, options, run: record });
