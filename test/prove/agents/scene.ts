import type { LocalProcess } from '../../harness/local-process.ts';

/** The service with a team, the agent of an Admin, and one of a Viewer. */
export interface Scene {
  readonly url: string;
  /** The token of an agent whose owner is an Admin. */
  readonly token: string;
  /** The token of an agent whose owner sees no private project. */
  readonly outsider: string;
  /** The session of a person who is an Admin. */
  readonly person: Readonly<Record<string, string>>;
  /** The id of the owner of the agent, a service account. */
  readonly owner: number;
  readonly project: string;
  readonly flag: string;
  readonly strategy: string;
  readonly segment: number;
  /** A proposal of the agent that is under review. */
  readonly proposal: number;
  /** A draft of the person. */
  readonly foreign: number;
  /** The token of an SDK in production. */
  readonly sdkToken: string;
  ask(route: string, options?: AskOptions): Promise<Asked>;
}

interface AskOptions {
  readonly body?: unknown;
  /** The headers that say who asks; those of an Admin by default. */
  readonly as?: Readonly<Record<string, string>>;
}

interface Asked {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the proof looks into answers whose form other tests check.
  readonly body: any;
}

const inAYear = new Date(Date.now() + 365 * 24 * 60 * 60 * 1_000).toISOString();

/** Creates the team, its flag and its tokens. @throws Error if the service refuses any of it. */
export async function createTeam({ url, token: adminToken }: LocalProcess): Promise<Scene> {
  const ask: Scene['ask'] = async (route, { body, as = { authorization: adminToken } } = {}) => {
    const [method = '', path = ''] = route.split(' ');
    const headers = { ...as, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const reply = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const must = async (...asked: Parameters<Scene['ask']>) => {
    const { status, body } = await ask(...asked);
    if (status >= 300) throw new Error(`${asked[0]}: ${status} ${JSON.stringify(body)}`);
    return body;
  };

  const [project, flag] = ['shop', 'checkout'];
  await must('POST /api/admin/remote-mcp/settings', { body: { enabled: true } });
  await must('POST /api/admin/projects', {
    body: { id: project, name: 'Shop', environments: ['development', 'production'] },
  });
  await must(`POST /api/admin/projects/${project}/features`, { body: { name: flag } });
  await must(`POST /api/admin/projects/${project}/features`, { body: { name: 'other' } });
  const strategies = `/api/admin/projects/${project}/features/${flag}/environments/production/strategies`;
  const { id: strategy } = await must(`POST ${strategies}`, { body: { name: 'default' } });
  const segment = (await must('POST /api/admin/segments', { body: { name: 'staff', constraints: [] } })).id;
  const agentOf = async (name: string, rootRole: number) => {
    const { id } = await must('POST /api/admin/service-account', { body: { name, username: name, rootRole } });
    const body = { description: 'agent', expiresAt: inAYear, scope: 'propose' };
    const { secret } = await must(`POST /api/admin/service-account/${id}/token`, { body });
    return { id: Number(id), secret: String(secret) };
  };
  const agent = await agentOf('assistant', 1);
  const outsider = await agentOf('outsider', 3);

  const credentials = { username: 'ann', password: 'A Quite-long 1 phrase' };
  await must('POST /api/admin/user-admin', { body: { ...credentials, rootRole: 1, sendEmail: false } });
  const signedIn = await fetch(`${url}/auth/simple/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  const [cookie = ''] = signedIn.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  const person = { cookie, 'sec-fetch-site': 'same-origin' };

  await must(`PUT /api/admin/projects/default/environments/development/change-requests/config`, {
    body: { changeRequestsEnabled: true },
  });
  const changeOf = (feature: string) => ({ feature, action: 'updateEnabled', payload: { enabled: true } });
  const requests = (environment: string) =>
    `POST /api/admin/projects/${project}/environments/${environment}/change-requests`;
  const asAgent = { authorization: agent.secret };
  const proposal = (
    await must(requests('production'), { as: asAgent, body: { changes: [changeOf('other')], reason: 'For the proof' } })
  ).id;
  await must(`PUT /api/admin/projects/${project}/change-requests/${proposal}/state`, {
    as: asAgent,
    body: { state: 'In review' },
  });
  await must(`PUT /api/admin/projects/${project}/environments/development/change-requests/config`, {
    body: { changeRequestsEnabled: true },
  });
  const foreign = (await must(requests('development'), { as: person, body: [changeOf(flag)] })).id;
  await must('POST /api/admin/projects', { body: { id: 'secret', name: 'Secret', mode: 'private' } });
  await must('POST /api/admin/projects/secret/features', { body: { name: 'hidden' } });
  await must('PUT /api/admin/projects/secret/settings', { body: { mode: 'private', defaultStickiness: 'default' } });
  const sdk = { tokenName: 'sdk', type: 'client', environment: 'production', projects: ['*'] };
  const sdkToken = (await must('POST /api/admin/api-tokens', { body: sdk })).secret;
  return {
    ...{
      url,
      token: agent.secret,
      outsider: outsider.secret,
      person,
      owner: agent.id,
      project,
      flag,
      strategy,
      segment,
    },
    ...{ proposal, foreign, sdkToken, ask },
  };
}

/** The paths of reads that show what SDKs get, and who may do what. */
const watched = [
  ...['features', 'projects', 'environments', 'segments', 'context', 'strategies', 'api-tokens', 'addons', 'banners'],
  ...[
    'user-admin',
    'service-account',
    'roles',
    'groups',
    'invite-link/tokens',
    'maintenance',
    'release-plan-templates',
  ],
  ...['remote-mcp/settings', 'change-requests/settings', 'auth/simple/settings', 'auth/oidc/settings'],
].map((path) => `/api/admin/${path}`);

/** Reads all that an agent must not change, as one text. */
export async function readGuarded({ ask, project, flag, foreign, person, sdkToken }: Scene): Promise<string> {
  const inProject = `/api/admin/projects/${project}`;
  const paths = [
    ...watched,
    ...[`${inProject}/features/${flag}`, `${inProject}/overview`, `${inProject}/access`, `${inProject}/settings`],
    ...['production', 'development'].map((name) => `${inProject}/environments/${name}/change-requests/override`),
    `${inProject}/change-requests/config`,
  ];
  const answers = await Promise.all([
    ...paths.map((path) => ask(`GET ${path}`)),
    ask(`GET ${inProject}/change-requests/${foreign}`, { as: person }),
    ask('GET /api/client/features', { as: { authorization: sdkToken } }),
  ]);
  // The time at which a token was last used, and the ids of requests.
  const isOfUse = (key: string) => /^(seenAt|lastSeenAt|lastLoginAt|loginOrder|id|meta)$/.test(key);
  return JSON.stringify(answers, (key, value) => (isOfUse(key) ? undefined : value));
}
