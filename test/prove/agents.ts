import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type CommandLine, formatCount, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { startLocalProcess } from '../harness/local-process.ts';
import { startNodeSdk } from '../harness/node-sdk.ts';
import { listApiAttempts, listToolAttempts, tricks } from './agents/attempts.ts';
import { proveRealClients } from './agents/real-clients.ts';
import { createTeam, readGuarded, type Scene } from './agents/scene.ts';
import { secondsSince, verdictOn } from './options.ts';
import { Promises } from './promises.ts';

const help = `Proves that an agent can change nothing: a token with the scope "propose", whose owner is an Admin, tries to change production
by the tools of the MCP server, by the API, by the decisions on its proposals, by tokens, rights and settings, and by
texts. Each attempt is refused, and what SDKs get and who may do what stays the same. Then an agent does what it
may: the official client of MCP finds a flag, proposes a change and submits it in both revisions of the protocol, a
person approves and applies it, and the SDK of Node gets it. Ends with PASS, or with FAIL and 1.

With --clients, Claude Code, Codex, Gemini CLI and GitHub Copilot CLI are the agent instead, with the settings of functions/mcp/README.md.
In place of a model, the proof tells each client which tools to call. All schemas and answers reach this
model, the events name the client, and a person approves and applies what it proposed. A client that is not installed is
skipped; without any, the proof fails. npm installs them: @anthropic-ai/claude-code, @openai/codex, @google/gemini-cli, @github/copilot.

  npm run prove:agents                              within a minute
  npm run prove:agents -- --clients [--bin FOLDER]   2 minutes

  --clients      only these clients, from the PATH
  --bin FOLDER   from this folder, too
  -h, --help     this text`;

const options = { clients: { type: 'boolean', default: false }, bin: { type: 'string' } } as const;

async function connect({ url }: Scene, token: string, mode: 'auto' | 'legacy'): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: 'prove-agents', version: '1.0.0' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

/** Calls a tool, and returns its answer and whether it was refused, by a result or by an error of the protocol. */
async function callTool(client: Client, name: string, sent: Readonly<Record<string, unknown>>) {
  try {
    const { isError, structuredContent } = await client.callTool({ name, arguments: { ...sent } });
    return { isRefused: isError === true, answer: (structuredContent ?? {}) as Readonly<Record<string, unknown>> };
  } catch {
    return { isRefused: true, answer: {} };
  }
}

async function proveRefusals(scene: Scene): Promise<Promises> {
  const promises = new Promises('an agent');
  let state = await readGuarded(scene);
  const holdUnchanged = async (title: string) => {
    const now = await readGuarded(scene);
    promises.hold(`to ${title} changes nothing`, now === state, differenceOf(state, now));
    state = now;
  };
  for (const { title, route, body } of listApiAttempts(scene)) {
    const sent = body === undefined && !route.startsWith('GET') ? {} : body;
    const { status } = await scene.ask(route, { as: { authorization: scene.token }, body: sent });
    promises.hold(`to ${title} is refused`, status === 401 || status === 403, { route, status });
    await holdUnchanged(title);
  }
  await using client = await connect(scene, scene.token, 'auto');
  for (const { title, tool, sent } of listToolAttempts(scene)) {
    promises.hold(`to ${title} is refused`, (await callTool(client, tool, sent)).isRefused);
    await holdUnchanged(title);
  }
  for (const trick of tricks) {
    const change = { feature: scene.flag, action: 'updateEnabled', payload: { enabled: true } };
    const sent = { project: scene.project, environment: 'production', title: trick, reason: trick, changes: [change] };
    const { answer } = await callTool(client, 'propose_change', sent);
    const path = { project: scene.project, id: answer.id };
    const submitted = await callTool(client, 'submit_proposal', { ...path, comment: trick });
    promises.same(`the text ${trick} is a text`, submitted.answer.state, 'In review');
    await holdUnchanged(`say ${trick}`);
    await callTool(client, 'withdraw_proposal', path);
  }
  await using outsider = await connect(scene, scene.outsider, 'legacy');
  const hidden = await callTool(outsider, 'find_flags', { text: 'hidden' });
  promises.same('an agent does not find what its owner may not see', hidden.answer.total, 0);
  const read = await callTool(outsider, 'get_flag', { project: 'secret', flag: 'hidden' });
  promises.hold('an agent does not read what its owner may not see', read.isRefused);
  return promises;
}

/** Returns both texts around the first character that differs. */
function differenceOf(before: string, after: string): string {
  const at = [...before].findIndex((character, index) => character !== after[index]);
  return `${before.slice(Math.max(0, at - 60), at + 60)} → ${after.slice(Math.max(0, at - 60), at + 60)}`;
}

/** Proves that a change that an agent proposes and a person applies reaches the SDK, in a revision of the protocol. */
async function proveProposal(scene: Scene, mode: 'auto' | 'legacy', enabled: boolean): Promise<Promises> {
  const { project, flag, person, ask, sdkToken, url } = scene;
  const promises = new Promises(
    `a proposal, ${mode === 'auto' ? 'in the revision of 2026' : 'after a handshake of 2025'}`,
  );
  await using client = await connect(scene, scene.token, mode);
  await using sdk = startNodeSdk(url, sdkToken, { appName: 'prove-agents', refreshInterval: 200 });
  await promises.within(5_000, 'the SDK gets ready', () => sdk.unleash.isSynchronized());
  const isOn = () => sdk.unleash.isEnabled(flag);
  promises.same('the flag is as it was', isOn(), !enabled);
  const found = await callTool(client, 'find_flags', { text: flag, project });
  promises.same('the client finds the flag', found.answer.total, 1);
  const changes = [{ feature: flag, action: 'updateEnabled', payload: { enabled } }];
  const asked = { project, environment: 'production', title: 'Switch it', reason: 'The tests pass', changes };
  const { answer } = await callTool(client, 'propose_change', asked);
  const wanted = [{ flag, users: 1_000, before: enabled ? 0 : 1_000, after: enabled ? 1_000 : 0 }];
  const reach = (answer.reach as readonly Record<string, unknown>[]).map(({ gained: _g, lost: _l, ...each }) => each);
  promises.same('it says how many users it reaches', reach, wanted);
  const submitted = await callTool(client, 'submit_proposal', { project, id: answer.id });
  promises.same('it is submitted', submitted.answer.state, 'In review');
  promises.same('the flag is as it was until a person decides', isOn(), !enabled);
  for (const state of ['Approved', 'Applied']) {
    const route = `PUT /api/admin/projects/${project}/change-requests/${answer.id}/state`;
    const decided = await ask(route, { as: person, body: { state } });
    promises.same(`a person brings it to ${state}`, [decided.status, decided.body?.state], [200, state]);
  }
  await promises.within(1_000, 'the SDK gets it', () => isOn() === enabled);
  const { body } = await ask(`GET /api/admin/search/events?groupId=IS:change-request-${answer.id}&limit=100`);
  const sent = body.events.find(({ type }: { type: string }) => type === 'change-request-sent-to-review');
  promises.same(
    'the event names the owner, the agent and the reason',
    [sent.createdBy, sent.agent?.name, sent.data.reason],
    [...['assistant', 'agent', 'The tests pass']],
  );
  return promises;
}

async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const start = performance.now();
  await using server = await startLocalProcess({ store: 'memory' });
  const scene = await createTeam(server);
  if (values.clients) {
    const clients = await proveRealClients(scene, values.bin);
    if (clients.length === 0) return { passed: false, summary: 'None of the clients is installed.' };
    const broken = clients.flatMap((promises) => promises.broken);
    return verdictOn(
      broken,
      `${formatCount(clients.length, 'client')}, ${broken.length} broken, ${secondsSince(start)}.`,
    );
  }
  const attempts = listApiAttempts(scene).length + listToolAttempts(scene).length + tricks.length;
  const proofs = [await proveRefusals(scene), await proveProposal(scene, 'auto', true)];
  proofs.push(await proveProposal(scene, 'legacy', false));
  const broken = proofs.flatMap((promises) => promises.broken);
  const count = proofs.reduce((sum, promises) => sum + promises.count, 0);
  return verdictOn(broken, `${attempts} attempts, ${count} promises, ${broken.length} broken, ${secondsSince(start)}.`);
}

await runCommand({ name: 'prove:agents', help, options, run: prove });
