import { describe, expect } from 'vitest';
import { changeInput } from '../../../lib/change-requests/change-input-schema.ts';
import { newAgentOf } from '../../harness/features.ts';
import { connectMcp, type McpMode } from '../../harness/mcp-client.ts';
import { protect } from '../../harness/protection.ts';
import type { Service } from '../../harness/service.ts';
import { fromOwnPage, giveSession } from '../../harness/sign-in.ts';
import type { World } from '../../harness/world.ts';
import { openTo, specify, test } from '../../specifications/specify.ts';

const settingsPath = '/api/admin/remote-mcp/settings';
const switchMcp = (service: Pick<Service, 'post'>, enabled: boolean) => service.post(settingsPath, { enabled });

specify('callMcp', {
  route: 'POST /mcp',
  may: 'any token',
  given: (world) => world.ask('POST', settingsPath, { enabled: true }),
  request: (world) => ({
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'find_flags', arguments: { text: world.name('flag') } },
    },
  }),
  required: ['jsonrpc', 'method'],
  // Without an id it is a notification.
  needed: ['id'],
  // The setting, which a process remembers, and what the tool reads.
  waits: 2,
});

specify('getRemoteMcpSettings', { route: 'GET /api/admin/remote-mcp/settings', ...openTo('Admin', 'ADMIN') });

specify('setRemoteMcpSettings', {
  route: 'POST /api/admin/remote-mcp/settings',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => {
    await world.ask('POST', settingsPath, { enabled: false });
    return { body: { enabled: true } };
  },
  required: ['enabled'],
  again: 'nothing',
});

const modes: readonly McpMode[] = ['auto', 'legacy'];

describe.each(modes)('The official client, with the negotiation "%s",', (mode) => {
  test('lists the tools, and gets answers from each that match its schema', async ({ service, world }) => {
    await switchMcp(service, true);
    const { name, project } = await makeFlag(world);
    await using client = await connectMcp(service, { mode });
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25');
    expect(client.getInstructions()).toContain('feature-flag');
    const { tools } = await client.listTools();
    expect(tools.map(({ name: tool, annotations }) => [tool, annotations?.readOnlyHint])).toEqual([
      ...[
        ['find_flags', true],
        ['get_flag', true],
        ['get_history', true],
        ['propose_change', false],
      ],
      ...[
        ['revise_proposal', false],
        ['submit_proposal', false],
        ['withdraw_proposal', false],
      ],
    ]);
    for (const { inputSchema, outputSchema } of tools) {
      expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object']);
    }
    // A model reads all of this before it does anything.
    expect(JSON.stringify(tools).length).toBeLessThan(26_000);
    const found = await client.callTool({ name: 'find_flags', arguments: { text: name } });
    expect(found.structuredContent).toMatchObject({ total: 1, flags: [{ name, project, tags: [] }] });
    const explain = { environment: 'development', context: { userId: '7' } };
    const shown = await client.callTool({ name: 'get_flag', arguments: { project, flag: name, explain } });
    expect(shown.structuredContent).toMatchObject({
      flag: { name, project },
      environments: [{ name: 'development', enabled: true, approvals: 0, strategies: [{ name: 'default' }] }],
      explanation: { environment: 'development', isEnabled: true, strategies: [{ result: { enabled: true } }] },
    });
    const history = await client.callTool({ name: 'get_history', arguments: { flag: name, details: true } });
    expect(history.structuredContent).toMatchObject({
      events: expect.arrayContaining([expect.objectContaining({ type: 'feature-created', flag: name, before: null })]),
    });
  });

  test('proposes a change, revises it, submits it and withdraws it, and changes no flag', async ({
    service,
    world,
  }) => {
    await switchMcp(service, true);
    const project = await world.project();
    const { name } = await world.feature({ project });
    const { owner, token } = await makeAgent(service, world);
    await using client = await connectMcp(service, { mode, token });
    const use = async (tool: string, sent: object) => {
      const { structuredContent, content } = await client.callTool({ name: tool, arguments: { ...sent } });
      expect(structuredContent, JSON.stringify(content)).toBeDefined();
      return structuredContent as Record<string, unknown>;
    };
    const switchOn = { feature: name, action: 'updateEnabled', payload: { enabled: true } };
    const rollout = (percent: string) => ({
      ...{ feature: name, action: 'addStrategy' },
      payload: { name: 'flexibleRollout', parameters: { rollout: percent, stickiness: 'default' } },
    });
    const asked = { project, environment: 'development', title: 'Release', reason: 'The tests pass' };
    const proposed = await use('propose_change', { ...asked, changes: [rollout('50'), switchOn] });
    const id = Number(proposed.id);
    expect(proposed).toMatchObject({
      ...{ project, environment: 'development', state: 'Draft', title: 'Release', reason: 'The tests pass' },
      changes: [{ flag: name, action: 'addStrategy' }, { action: 'updateEnabled' }],
      diff: { features: [{ name, patch: expect.arrayContaining([expect.objectContaining({ path: '/enabled' })]) }] },
      ...{ conflicts: [], approvals: 1, reach: [{ flag: name, users: 1_000, before: 0, lost: 0 }] },
      link: expect.stringMatching(new RegExp(`/projects/${project}/change-requests/${id}$`)),
    });
    const [{ after = 0 } = {}] = proposed.reach as { after?: number }[];
    expect(after).toBeGreaterThan(450);
    expect(after).toBeLessThan(550);
    const [first] = proposed.changes as { id: number }[];
    const replace = { changeId: first?.id, change: rollout('100') };
    expect(await use('revise_proposal', { project, id, replace })).toMatchObject({ reach: [{ after: 1_000 }] });
    expect(await use('revise_proposal', { project, id, add: [rollout('1')] })).toMatchObject({ changes: [{}, {}, {}] });
    expect(await use('submit_proposal', { project, id })).toMatchObject({ state: 'In review' });
    const event = (await service.get(`/api/admin/search/events?groupId=IS:change-request-${id}`)).body.events[0];
    expect(event).toMatchObject({ createdBy: owner.username, agent: { name: 'helper' } });
    expect(event.agent.client).toBe('test 1.0.0');
    expect(await use('withdraw_proposal', { project, id })).toMatchObject({ withdrawn: true });
    const path = `/api/admin/projects/${project}`;
    expect((await service.get(`${path}/change-requests/${id}`)).body.state).toBe('Cancelled');
    expect((await service.get(`${path}/features/${name}/environments/development`)).body).toMatchObject({
      ...{ enabled: false, strategies: [] },
    });
  });

  test('gets mistakes in words that a model can act on', async ({ service, world }) => {
    await switchMcp(service, true);
    const { project, name } = await makeFlag(world);
    const { token } = await makeAgent(service, world);
    await using client = await connectMcp(service, { mode, token });
    const answerTo = async (name: string, sent: Record<string, unknown>) => {
      const { content, isError } = await client.callTool({ name, arguments: sent });
      return { isError, text: content.map((part) => (part.type === 'text' ? part.text : '')).join() };
    };
    // Errors of operations can contain texts of users, as answers do.
    const { structuredContent } = await client.callTool({ name: 'find_flags', arguments: {} });
    const { warning } = structuredContent as { warning: string };
    const unknown = await answerTo('get_flag', { project, flag: 'missing' });
    expect(unknown).toEqual({ isError: true, text: expect.stringMatching(`^${warning}\n.*missing`) });
    for (const asked of [{ environment: 'prod' }, { explain: { environment: 'prod', context: {} } }]) {
      const { text } = await answerTo('get_flag', { project, flag: name, ...asked });
      expect(text).toBe(`${warning}\nThe flag has no environment "prod". Its environments: development.`);
    }
    const invalid = await answerTo('find_flags', { limit: 500, type: 'nonsense' });
    expect(invalid.isError).toBe(true);
    expect(invalid.text).toMatch(/^The arguments of find_flags are invalid.*\n.*type: .*\n.*limit: /s);
    const changes = [{ feature: 'missing', action: 'updateEnabled', payload: { enabled: true } }];
    const proposal = { project, environment: 'development', reason: 'Why not', changes };
    expect((await answerTo('propose_change', proposal)).text).toContain('missing');
    const { text: unknownAction } = await answerTo('propose_change', { ...proposal, changes: [{ action: 'approve' }] });
    expect(unknownAction).toContain('changes.0.action: ');
    for (const { entries } of changeInput.options) expect(unknownAction).toContain(`"${entries.action.literal}"`);
    const elsewhere = await answerTo('propose_change', { ...proposal, environment: 'prod' });
    expect(elsewhere.text).toContain('no environment in the project');
    expect(elsewhere.text).toContain('Its environments: development.');
    const many = Array.from({ length: 200 }, () => ({ action: 'approve' }));
    const { text: manyProblems } = await answerTo('propose_change', { ...proposal, changes: many });
    expect(manyProblems.length).toBeLessThan(20_000);
    expect(manyProblems).toMatch(/\nAnd 180 more problems\.$/);
    expect((await answerTo('revise_proposal', { project, id: 1, remove: 1, title: 'a' })).text).toContain(
      'exactly one',
    );
    await expect(client.callTool({ name: 'approve_change', arguments: {} })).rejects.toThrow('find_flags');
  });

  test('is told that the server is off, unless an Admin switches it on', async ({ service }) => {
    await expect(connectMcp(service, { mode })).rejects.toThrow();
    expect((await message(service, 'ping')).body.message).toContain('The MCP server is off.');
  });
});

async function makeFlag(world: World) {
  const project = await world.project();
  const { name } = await world.feature({ project, on: true, strategies: [{ name: 'default' }] });
  return { name, project };
}

/** Makes an agent of a new Editor. */
async function makeAgent(service: Service, world: World) {
  const owner = { username: world.name('owner'), rootRole: 'Editor' } as const;
  return { owner, token: await newAgentOf(service, owner) };
}

/** Sends a message as no official client would. */
function message(service: Service, method: string, headers: Record<string, string> = {}) {
  return service.post('/mcp', { jsonrpc: '2.0', id: 1, method }, { headers });
}

const revision = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientCapabilities': {},
};

test('A message whose headers contradict it, or of an unknown revision, is a 400 with the code of the protocol', async ({
  service,
}) => {
  await switchMcp(service, true);
  const codeOf = async (headers: Record<string, string>, params: object = { _meta: meta }, method = 'tools/list') => {
    const { status, body } = await service.post('/mcp', { jsonrpc: '2.0', id: 1, method, params }, { headers });
    return [status, body.error?.code];
  };
  const good = { 'mcp-protocol-version': revision, 'mcp-method': 'tools/list' };
  expect(await codeOf(good)).toEqual([200, undefined]);
  expect(await codeOf({ ...good, 'mcp-method': 'tools/call' })).toEqual([400, -32020]);
  expect(await codeOf({ 'mcp-protocol-version': revision })).toEqual([400, -32020]);
  expect(await codeOf({ 'mcp-method': 'tools/list' })).toEqual([400, -32020]);
  expect(await codeOf(good, {})).toEqual([400, -32020]);
  const other = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' };
  expect(await codeOf({ ...good, 'mcp-protocol-version': '2030-01-01' }, { _meta: other })).toEqual([400, -32022]);
  expect(await codeOf({ 'mcp-protocol-version': '1999-01-01' }, {})).toEqual([400, -32022]);
  const { 'io.modelcontextprotocol/clientCapabilities': _, ...incomplete } = meta;
  expect(await codeOf(good, { _meta: incomplete })).toEqual([400, -32602]);
  const call = { ...good, 'mcp-method': 'tools/call', 'mcp-name': 'get_flag' };
  expect(await codeOf(call, { _meta: meta, name: 'find_flags' }, 'tools/call')).toEqual([400, -32020]);
  const encoded = { ...call, 'mcp-name': `=?base64?${btoa('find_flags')}?=` };
  expect(await codeOf(encoded, { _meta: meta, name: 'find_flags' }, 'tools/call')).toEqual([200, undefined]);
  const unknown = { ...good, 'mcp-method': 'subscriptions/listen' };
  expect(await codeOf(unknown, { _meta: meta }, 'subscriptions/listen')).toEqual([404, -32601]);
});

test('The schema of the arguments of each tool has no keyword that models or clients ignore, and at most 5,000 bytes', async ({
  service,
}) => {
  await switchMcp(service, true);
  await using client = await connectMcp(service);
  const { tools } = await client.listTools();
  for (const { name, inputSchema } of tools) {
    const written = JSON.stringify(inputSchema);
    expect(written, name).not.toMatch(/"(oneOf|allOf|const|\$ref|\$defs|\$schema|format|pattern)":/);
    // Codex removes all parts of a larger schema.
    expect(Buffer.byteLength(written), name).toBeLessThan(5_000);
  }
  const written: unknown = tools.find(({ name }) => name === 'propose_change')?.inputSchema.properties;
  const { items } = (written as { readonly changes: { readonly items: JsonObjectSchema } }).changes;
  const { action, feature, payload } = items.properties;
  expect([items.required, feature]).toEqual([['action'], { type: 'string' }]);
  expect(action?.enum).toContain('updateMilestoneStrategy');
  expect(payload?.anyOf).toEqual([{ type: 'object' }, { type: 'array', items: { type: 'object' } }]);
  const lines = payload?.description?.split('\n') ?? [];
  expect(lines).toEqual(
    expect.arrayContaining([
      'updateEnabled: { enabled: boolean, shouldActivateDisabledStrategies?: boolean | null }',
      'updateStrategy, updateMilestoneStrategy: StrategyReplacement',
      'archiveFeature, deleteDependency: none',
      'reorderStrategy: { id: string, sortOrder: integer }[]',
      expect.stringMatching(/^Strategy = \{ name: string, .*constraints\?: Constraint\[\]/),
      expect.stringMatching(/^Constraint = \{ contextName: string, operator: 'NOT_IN' \| /),
    ]),
  );
});

interface JsonObjectSchema {
  readonly properties: Readonly<Record<string, { enum?: string[]; anyOf?: object[]; description?: string }>>;
  readonly required: readonly string[];
}

test('A notification gets a 202 without a body, and other methods than POST a 405', async ({ service }) => {
  await switchMcp(service, true);
  const { status, text } = await service.post('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' });
  expect([status, text]).toEqual([202, '']);
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const { status, headers } = await service.call(method, '/mcp');
    expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS']);
  }
});

test('A caller without a token gets a 401 whose header and body say what is missing, even with a session', async ({
  service,
  world,
}) => {
  await switchMcp(service, true);
  const cookie = await giveSession(service.table, (await world.user()).id);
  for (const headers of [{}, { cookie, ...fromOwnPage }]) {
    const sent = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const refused = await service.call('POST', '/mcp', { token: null, headers, body: sent });
    const message = 'A valid token is required in the Authorization header.';
    expect([refused.status, refused.body.message]).toEqual([401, message]);
    // Codex shows people this header, and not the body.
    expect(refused.headers['www-authenticate']).toBe(`Bearer error="invalid_token", error_description="${message}"`);
  }
});

test('A client that gave no name, or sends the id of another session, is named by its User-Agent', async ({
  service,
  world,
}) => {
  await switchMcp(service, true);
  const project = await world.project();
  const { name } = await world.feature({ project });
  const { token } = await makeAgent(service, world);
  const send = (method: string, params: object, headers: Record<string, string> = {}) =>
    service.call('POST', '/mcp', { token, headers, body: { jsonrpc: '2.0', id: 1, method, params } });
  const nameless = await send('initialize', { protocolVersion: '2025-06-18' });
  expect([nameless.status, nameless.headers['mcp-session-id']]).toEqual([200, undefined]);
  const changes = [{ feature: name, action: 'updateEnabled', payload: { enabled: true } }];
  const proposal = { project, environment: 'development', reason: 'The tests pass', changes };
  const propose = async (headers: Record<string, string>) => {
    const sent = await send('tools/call', { name: 'propose_change', arguments: proposal }, headers);
    const { id } = sent.body.result.structuredContent;
    const { events } = (await service.get(`/api/admin/search/events?groupId=IS:change-request-${id}`)).body;
    return events[0].agent.client;
  };
  expect(await propose({ 'user-agent': 'node' })).toBe('node');
  expect(await propose({ 'user-agent': 'node', 'mcp-session-id': 'another' })).toBe('node');
});

test('A page of another origin is refused, even with a token', async ({ service }) => {
  await switchMcp(service, true);
  const statusFrom = async (headers: Record<string, string>) => (await message(service, 'ping', headers)).status;
  expect(await statusFrom({ origin: 'https://evil.example.com' })).toBe(403);
  expect(await statusFrom({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await statusFrom({})).toBe(200);
});

test('A tool has the rights of the token: a hidden project does not exist for it', async ({ service, world }) => {
  await switchMcp(service, true);
  const { name, project } = await makeFlag(world);
  await world.ask('PUT', `/api/admin/projects/${project}/settings`, { mode: 'private' });
  await using client = await connectMcp(service, { token: (await world.pat(await world.user())).secret });
  const found = await client.callTool({ name: 'find_flags', arguments: { text: name } });
  expect(found.structuredContent).toMatchObject({ total: 0, flags: [] });
  const shown = await client.callTool({ name: 'get_flag', arguments: { project, flag: name } });
  expect(shown).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/\nThere is no project .*\.$/) }],
  });
  const history = await client.callTool({ name: 'get_history', arguments: { flag: name } });
  expect(history.structuredContent).toMatchObject({ events: [] });
});

test('A token with all rights of its owner proposes changes where they need approval, and changes nothing itself', async ({
  service,
  world,
}) => {
  await switchMcp(service, true);
  const project = await world.project();
  const { name } = await world.feature({ project });
  await using client = await connectMcp(service);
  const propose = () =>
    client.callTool({
      name: 'propose_change',
      arguments: {
        ...{ project, environment: 'development', reason: 'The tests pass' },
        changes: [{ feature: name, action: 'updateEnabled', payload: { enabled: true } }],
      },
    });
  expect(await propose()).toMatchObject({ isError: true });
  await protect(service.table, { projectId: project, environment: 'development' });
  expect(await propose()).toMatchObject({ structuredContent: { state: 'Draft' } });
  const path = `/api/admin/projects/${project}/features/${name}/environments/development`;
  expect((await service.get(path)).body.enabled).toBe(false);
});

test('A long answer is cut, says so, and says how to ask for less', async ({ service, world }) => {
  await switchMcp(service, true);
  const project = await world.project();
  const values = Array.from({ length: 100 }, (_, index) => `customer-${index}-${'x'.repeat(80)}`);
  const constraints = [{ contextName: 'userId', operator: 'IN', values }];
  const strategies = Array.from({ length: 10 }, () => ({ name: 'default', constraints }));
  const { name } = await world.feature({ project, on: true, strategies });
  await using client = await connectMcp(service);
  const { structuredContent } = await client.callTool({ name: 'get_flag', arguments: { project, flag: name } });
  expect(structuredContent).toMatchObject({ shortened: expect.stringContaining('environment'), flag: { name } });
  expect(JSON.stringify(structuredContent).length).toBeLessThan(21_000);
});
