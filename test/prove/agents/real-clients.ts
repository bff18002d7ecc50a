import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { Promises } from '../promises.ts';
import { type CallPlan, type Model, startModel } from './model.ts';
import type { Scene } from './scene.ts';

/** A client of MCP from another vendor, with the settings of functions/mcp/README.md. */
interface RealClient {
  readonly command: string;
  /** The name that it sends with its messages. */
  readonly ownName: string;
  /** A file of settings, by its path in the home folder. */
  readonly file?: readonly [folder: string, name: string, write: (url: string, model: string) => string];
  /** Returns the arguments of the command that connects it. */
  readonly connect?: (url: string) => readonly string[];
  /** The arguments of the command that gives it a task. */
  readonly ask: readonly string[];
  /** Returns the variables that make it use the model. */
  readonly environment?: (model: string) => Readonly<Record<string, string>>;
}

const add = ['mcp', 'add', '--transport', 'http'];
// biome-ignore lint/suspicious/noTemplateCurlyInString: the clients replace it.
const header = 'Authorization: Bearer ${FLAGSTAFF_TOKEN}';
const task = 'Release the flag';

const clients: readonly RealClient[] = [
  {
    ...{ command: 'claude', ownName: 'claude-code' },
    connect: (url) => [...add, 'flagstaff', url, '--header', header],
    ask: ['-p', task, '--allowedTools', 'mcp__flagstaff__*'],
    environment: (model) => ({
      ...{ ANTHROPIC_BASE_URL: model, ANTHROPIC_API_KEY: 'none', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    }),
  },
  {
    ...{ command: 'codex', ownName: 'codex-mcp-client' },
    file: [
      ...(['.codex', 'config.toml'] as const),
      (url, model) => `model = "none"\nmodel_provider = "none"\ncheck_for_update_on_startup = false
[model_providers.none]\nname = "none"\nbase_url = "${model}/v1"\nwire_api = "responses"
[mcp_servers.flagstaff]\nurl = "${url}"\nbearer_token_env_var = "FLAGSTAFF_TOKEN"
[mcp_servers.flagstaff.tools.withdraw_proposal]\napproval_mode = "approve"`,
    ],
    ask: ['exec', '--skip-git-repo-check', task],
  },
  {
    ...{ command: 'gemini', ownName: 'gemini-cli-mcp-client' },
    file: [
      ...(['.gemini', 'settings.json'] as const),
      () => '{"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false}}',
    ],
    connect: (url) => [...add, '--header', 'Authorization: Bearer $FLAGSTAFF_TOKEN', 'flagstaff', url],
    ask: ['-p', task, '--yolo', '-m', 'gemini-2.5-flash'],
    environment: (model) => ({
      ...{ GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'none', GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    }),
  },
  {
    ...{ command: 'copilot', ownName: 'copilot-cli' },
    connect: (url) => [...add, '--header', header, 'flagstaff', url],
    ask: ['-p', task, '--allow-all-tools'],
    environment: (model) => ({
      ...{ COPILOT_PROVIDER_BASE_URL: model, COPILOT_PROVIDER_TYPE: 'anthropic', COPILOT_PROVIDER_API_KEY: 'none' },
      ...{ COPILOT_MODEL: 'none', COPILOT_OFFLINE: 'true' },
    }),
  },
];

/** Runs the installed clients, and returns the promises of each. For a client that is not installed, it prints a line. */
export async function proveRealClients(scene: Scene, folder: string | undefined): Promise<Promises[]> {
  const proofs: Promises[] = [];
  for (const client of clients) proofs.push(...(await proveClient(scene, client, folder)));
  return proofs;
}

async function proveClient(scene: Scene, client: RealClient, folder = ''): Promise<Promises[]> {
  using home = temporaryFolder();
  await using model = await startModel(planCalls(scene));
  const url = `${scene.url}/mcp`;
  const cwd = join(home.path, 'project');
  mkdirSync(cwd);
  if (client.file !== undefined) {
    const [settings, name, write] = client.file;
    mkdirSync(join(home.path, settings));
    writeFileSync(join(home.path, settings, name), write(url, model.url));
  }
  const env = {
    ...{ PATH: `${folder}${delimiter}${process.env.PATH}`, HOME: home.path, FLAGSTAFF_TOKEN: scene.token },
    ...client.environment?.(model.url),
  };
  const run = (given: readonly string[]) =>
    new Promise<{ readonly isMissing: boolean; readonly output: string }>((resolve) => {
      const child = execFile(client.command, given, { cwd, env, timeout: 120_000 }, (error, stdout, stderr) =>
        resolve({ isMissing: error?.code === 'ENOENT', output: `${stdout}${stderr}`.trim() }),
      );
      child.stdin?.end();
    });
  const { isMissing, output: version } = await run(['--version']);
  console.log(`${client.command}: ${isMissing ? 'skipped, since it is not installed' : version.split('\n', 1)[0]}`);
  if (isMissing) return [];
  const connected = client.connect && (await run(client.connect(url)));
  const { output } = await run(client.ask);
  const promises = new Promises(client.command);
  if (model.last.answers.length === planCalls(scene).length) await holdConversation(scene, client, model, promises);
  else promises.hold('the model gets an answer to each call', false, [model.last.answers, connected?.output, output]);
  return [promises];
}

/** Plans the calls of the agent: it reads, makes a mistake, withdraws a first proposal, and revises and submits a second one. */
function planCalls({ project, flag }: Scene): CallPlan {
  const changes = (enabled: boolean) => [{ feature: flag, action: 'updateEnabled', payload: { enabled } }];
  const sent = {
    project,
    environment: 'production',
    title: 'Release',
    reason: 'The tests pass',
    changes: changes(false),
  };
  return [
    () => ({ tool: 'find_flags', sent: { text: flag } }),
    () => ({ tool: 'get_flag', sent: { project, flag } }),
    () => ({ tool: 'get_history', sent: { flag, details: true } }),
    () => ({ tool: 'get_flag', sent: { project, flag: 'missing' } }),
    () => ({ tool: 'propose_change', sent }),
    (answers) => ({ tool: 'withdraw_proposal', sent: { project, id: readLastId(answers) } }),
    () => ({ tool: 'propose_change', sent }),
    (answers) => ({ tool: 'revise_proposal', sent: { project, id: readLastId(answers), add: changes(true) } }),
    (answers) => ({ tool: 'submit_proposal', sent: { project, id: readLastId(answers) } }),
  ];
}

/** Reads the id of the last proposal from the links in the answers. */
function readLastId(answers: readonly string[]): number {
  return Number([...answers.join('').matchAll(/change-requests\/(\d+)/g)].at(-1)?.[1]);
}

async function holdConversation(scene: Scene, client: RealClient, { last }: Model, promises: Promises): Promise<void> {
  const { project, flag, token, person, ask } = scene;
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const { body } = await ask('POST /mcp', { as: { authorization: token }, body: list });
  for (const { name, inputSchema } of body.result.tools) {
    const offered = JSON.stringify(last.tools.find((each) => each.name.endsWith(name))?.schema ?? '');
    const lost = listTexts(inputSchema).filter((text) => !offered.includes(JSON.stringify(text).slice(1, -1)));
    promises.same(`the model gets all of the schema of ${name}`, lost, []);
  }
  const wanted = [
    '"total":1',
    '"evaluations"',
    'feature-created',
    'There is no feature',
    '"reach":[{',
    '"withdrawn":true',
  ];
  for (const [index, part] of [...wanted, '"state":"Draft"', '"reach":[{', '"state":"In review"'].entries())
    promises.hold(
      `the model gets answer ${index + 1}`,
      last.answers[index]?.includes(part) === true,
      last.answers[index],
    );
  const id = readLastId(last.answers);
  const { events } = (await ask(`GET /api/admin/search/events?groupId=IS:change-request-${id}`)).body;
  const named: unknown = events[0]?.agent?.client;
  promises.hold('the events name the client', String(named).startsWith(`${client.ownName} `), named);
  const state = `PUT /api/admin/projects/${project}/change-requests/${id}/state`;
  for (const each of ['Approved', 'Applied']) await ask(state, { as: person, body: { state: each } });
  const production = `/api/admin/projects/${project}/features/${flag}/environments/production`;
  promises.same('a person applies it', (await ask(`GET ${production}`)).body.enabled, true);
  await ask(`POST ${production}/off`);
}

/** Lists the names, descriptions and values in a schema, which a model needs. */
function listTexts(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(listTexts);
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, description = [], enum: values = [], ...rest } = schema as Readonly<Record<string, object>>;
  const texts = [Object.keys(properties), description, values].flat().map(String);
  return [...texts, ...[...Object.values(properties), ...Object.values(rest)].flatMap(listTexts)];
}
