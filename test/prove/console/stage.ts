import type { Browser } from 'puppeteer-core';
import { startLocalProcess } from '../../harness/local-process.ts';
import type { Promises } from '../promises.ts';
import type { Hands } from './hands.ts';
import { Person } from './person.ts';

export const password = 'Weather-report-22';

/** The people of a proof. The administrator is there from the start. */
export const people = {
  admin: 'admin',
  /** Editors of everything, who may approve in the project `checkout`. */
  author: 'jonas',
  reviewer: 'priya',
  operator: 'amara',
  viewer: 'vera',
} as const;

type StageRole = keyof typeof people;

/** The flags that a proof begins with, with a strategy for a quarter of users in development and production. */
const flags = [
  ['checkout', 'new-checkout', 'release', true],
  ['checkout', 'order-write-path', 'kill-switch', true],
  ['checkout', 'gift-cards', 'release', false],
  ['search', 'semantic-ranking', 'experiment', true],
  ['search', 'index-failover', 'kill-switch', false],
] as const;

/** Asks the API as an admin token may. @throws Error if it refuses. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Everything that a part of the proof needs. */
export interface PartOptions {
  readonly browser: Browser;
  readonly promises: Promises;
  readonly quick: boolean;
  /** The folder for pictures; without it, none are taken. */
  readonly pictures: string | undefined;
}

/** Everything that a journey needs. */
export interface ProofStage {
  readonly url: string;
  readonly ask: Ask;
  readonly promises: Promises;
  /** Opens a browser of somebody who is signed in. It is closed, and its problems are counted, when the journey ends. */
  readonly enter: (role: StageRole) => Promise<Person>;
  /** Opens a browser of somebody who is not signed in, likewise. */
  readonly meet: () => Promise<Person>;
}

/** A way through the console that people go, in a file of its own. */
export interface Journey {
  readonly title: string;
  readonly run: (stage: ProofStage) => Promise<void>;
}

/** Returns a function that asks the API below `/api/admin`. */
function askAs(url: string, token: string): Ask {
  return askWith(url, { authorization: token, 'content-type': 'application/json' });
}

function askWith(url: string, headers: Readonly<Record<string, string>>): Ask {
  return async (method, path, body) => {
    const reply = await fetch(`${url}/api/admin${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

/** The state of a flag in an environment. */
interface FlagState {
  readonly name: string;
  readonly enabled: boolean;
  readonly strategies: readonly {
    readonly id: string;
    readonly title?: string;
    readonly parameters: { readonly rollout?: string };
  }[];
}

/** Returns the state of a flag in production. @throws Error if it is not there. */
export async function productionOf(ask: Ask, project: string, flag: string): Promise<FlagState> {
  const path = `/projects/${project}/features/${flag}`;
  const { environments } = (await ask('GET', path)) as { readonly environments: readonly FlagState[] };
  const production = environments.find(({ name }) => name === 'production');
  if (production === undefined) throw new Error(`${flag} is not in production.`);
  return production;
}

/** Returns a function that asks the API as somebody who has signed in. */
export async function askAsPerson(url: string, username: string): Promise<Ask> {
  const headers = { origin: url, 'content-type': 'application/json' };
  const signedIn = await fetch(`${url}/auth/simple/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ username, password }),
  });
  const [cookie = ''] = signedIn.headers.get('set-cookie')?.split(';') ?? [];
  return askWith(url, { ...headers, cookie });
}

/** A fresh "npm start" with the content that journeys and pages need. */
interface Server extends AsyncDisposable {
  readonly url: string;
  /** The token of an admin. */
  readonly token: string;
  readonly ask: Ask;
}

/** Starts it. It ends with the block that uses it. */
export async function openServer(): Promise<Server> {
  const local = await startLocalProcess({ store: 'memory', environment: { INIT_ADMIN_PASSWORD: password } });
  const ask = askAs(local.url, local.token);
  // Identity providers send people back to the name of the machine, where their cookies are.
  const url = local.url.replace('127.0.0.1', 'localhost');
  await prepare(url, ask);
  return { url, token: local.token, ask, [Symbol.asyncDispose]: () => local[Symbol.asyncDispose]() };
}

/** Adds the projects, flags and people that journeys and pages need. Production of `checkout` needs one approval. */
async function prepare(url: string, ask: Ask): Promise<void> {
  await ask('POST', '/projects', { id: 'checkout', name: 'Checkout & Payments' });
  await ask('POST', '/projects', { id: 'search', name: '<b>Search</b> \u202e& Discovery' });
  for (const [project, name, type, isOn] of flags) {
    await ask('POST', `/projects/${project}/features`, { name, type, description: `About ${name}` });
    for (const environment of ['development', 'production']) {
      const place = `/projects/${project}/features/${name}/environments/${environment}`;
      const parameters = { rollout: '25', stickiness: 'userId', groupId: name };
      await ask('POST', `${place}/strategies`, { name: 'flexibleRollout', parameters });
      if (isOn) await ask('POST', `${place}/on`);
    }
  }
  const rootRoles = { author: 2, reviewer: 2, operator: 2, viewer: 3 } as const;
  const approver = 1_000_000_000;
  for (const [role, rootRole] of Object.entries(rootRoles) as [Exclude<StageRole, 'admin'>, number][]) {
    const username = people[role];
    const name = `${username.slice(0, 1).toUpperCase()}${username.slice(1)}`;
    const user = { username, name, rootRole, password, sendEmail: false };
    const { id } = (await ask('POST', '/user-admin', user)) as { id: number };
    if (role !== 'viewer') await ask('PUT', `/projects/checkout/users/${id}/roles`, { roles: [approver] });
  }
  const rules = { changeRequestsEnabled: true, requiredApprovals: 1 };
  await ask('PUT', '/projects/checkout/environments/production/change-requests/config', rules);
  const author = await askAsPerson(url, people.reviewer);
  const payload = { enabled: true, shouldActivateDisabledStrategies: false };
  const change = { feature: 'gift-cards', action: 'updateEnabled', payload };
  const asked = await author('POST', '/projects/checkout/environments/production/change-requests', change);
  const [request] = [asked].flat() as { readonly id: number }[];
  await author('PUT', `/projects/checkout/change-requests/${request?.id}/state`, { state: 'In review' });
  await ask('POST', '/segments', {
    name: 'Europe',
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }],
  });
  await preparePlan(ask);
  await ask('POST', '/addons', {
    provider: 'webhook',
    enabled: false,
    parameters: { url: 'https://example.com/' },
    events: ['feature-created'],
  });
  await prepareImpactMetrics(url, ask);
}

/** Reports an impact metric as an SDK does, and saves a chart of it for the service and for a flag. */
async function prepareImpactMetrics(url: string, ask: Ask): Promise<void> {
  const token = { tokenName: 'shop', type: 'client', environment: 'production', projects: ['*'] };
  const { secret } = (await ask('POST', '/api-tokens', token)) as { readonly secret: string };
  const samples = ['shop', 'office'].map((appName) => ({ labels: { appName }, value: 3 }));
  const impactMetrics = [{ name: 'searches', help: 'Searches of <b>people</b>', type: 'counter', samples }];
  await fetch(`${url}/api/client/metrics`, {
    method: 'POST',
    headers: { authorization: secret, 'content-type': 'application/json' },
    body: JSON.stringify({ appName: 'shop', bucket: null, impactMetrics }),
  });
  // The service writes reports once a minute, and before it answers Prometheus.
  await fetch(`${url}/internal-backstage/impact/metrics`);
  const labelSelectors = { appName: ['*'] };
  const chart = {
    metricName: 'searches',
    timeRange: 'day',
    aggregationMode: 'count',
    labelSelectors,
    yAxisMin: 'zero',
  };
  for (const place of ['', '/projects/checkout/features/new-checkout'])
    await ask('POST', `${place}/impact-metrics/config`, chart);
}

/** Adds a flag with a release plan in production, at its first milestone, and a safeguard. */
async function preparePlan(ask: Ask): Promise<void> {
  const place = '/projects/search/features/suggestions/environments/production';
  await ask('POST', '/projects/search/features', { name: 'suggestions', type: 'release' });
  const [template] = (await ask('GET', '/release-plan-templates')) as { readonly id: string }[];
  const plan = (await ask('POST', `${place}/release-plans`, { templateId: template?.id })) as { readonly id: string };
  await ask('POST', `${place}/on`);
  await ask('PUT', `${place}/release-plans/${plan.id}/safeguards`, {
    impactMetric: { metricName: 'flag:evaluations', timeRange: 'hour', aggregationMode: 'count', labelSelectors: {} },
    triggerCondition: { operator: '<', threshold: 100 },
  });
}

/**
 * Goes through a journey, and closes its browsers.
 * @returns the problems of its browsers.
 */
export async function goThrough(
  { title, run }: Journey,
  options: Omit<ProofStage, 'enter' | 'meet'> & PartOptions & { readonly hands: Hands },
): Promise<void> {
  const { browser, url, promises, pictures, hands } = options;
  const entered: Person[] = [];
  const meet: ProofStage['meet'] = async () => {
    const person = await Person.open(browser, { url, hands, pictures });
    entered.push(person);
    return person;
  };
  const enter: ProofStage['enter'] = async (role) => {
    const person = await meet();
    await person.signIn(people[role], password);
    return person;
  };
  const what = `${title} (${hands})`;
  try {
    await run({ ...options, enter, meet });
    promises.hold(what, true);
  } catch (error) {
    promises.hold(what, false, error instanceof Error ? error.message : error);
    for (const [index, person] of entered.entries()) await person.picture(`failed ${what} ${index}`);
  }
  const problems = entered.flatMap((person) => person.problems);
  promises.same(`${what}: nothing fails on the way`, problems, []);
  for (const person of entered) await person[Symbol.asyncDispose]();
}
