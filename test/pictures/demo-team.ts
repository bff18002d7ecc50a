import { setTimeout as sleep } from 'node:timers/promises';
import { identityTrustMs } from '../../lib/identity/identity-memory.ts';
import demo from './demo-team.json' with { type: 'json' };

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const environments = ['development', 'staging', 'production'] as const;

/** The password of everybody in the team. */
export const demoPassword = 'Weather-report-22';

/** Calls the API as somebody. @throws Error for every refusal. */
type Call = <T = unknown>(method: string, path: string, body?: unknown) => Promise<T>;

interface Demo {
  readonly url: string;
  /** The token of an admin. */
  readonly token: string;
  /** Sets the clock of the server back by a span, in milliseconds. */
  readonly setClockBack: (span: number) => Promise<void>;
}

interface Change {
  readonly feature: string;
  readonly action: string;
  readonly payload: unknown;
}

/**
 * Fills a fresh server with a team of five people: thirty flags in three projects, two weeks of history, a day of use, and change
 * requests in each state. The pictures of the console show it.
 */
export async function seedDemoTeam({ url, token, setClockBack }: Demo): Promise<void> {
  const admin = callAs(url, { authorization: token });
  await setClockBack(12 * day);
  await admin('POST', '/environments', { name: 'staging', type: 'preproduction', sortOrder: 2 });
  await admin('PUT', '/environments/sort-order', { development: 1, staging: 2, production: 3 });
  const people = new Map<string, { readonly id: number; readonly call: Call }>();
  for (const person of demo.people) {
    const email = `${person.username}@example.com`;
    const made = { ...person, email, password: demoPassword, sendEmail: false };
    const { id } = await admin<{ id: number }>('POST', '/user-admin', made);
    people.set(person.username, { id, call: callAs(url, {}, () => signIn(url, person.username)) });
  }
  const callOf = (username: string) => people.get(username)?.call ?? admin;
  const idOf = (username: string) => people.get(username)?.id;
  const segments = await addShared(admin, callOf('amara'));
  await addFlags(callOf, setClockBack);
  await changeNewCheckout(callOf, segments, setClockBack);
  await setClockBack(0);
  await reportUse(url, admin);
  await setClockBack(30 * hour);
  for (const { id } of demo.projects) await protect(admin, id, idOf);
  // The server trusts the rights that it has read for so long.
  await sleep(identityTrustMs);
  await askForChanges(callOf, idOf, segments, setClockBack);
  await setClockBack(0);
}

type Headers = Readonly<Record<string, string>>;

/** Returns the function by which the owner of some headers calls the admin API. */
function callAs(url: string, headers: Headers, renewHeaders?: () => Promise<Headers>): Call {
  let current = headers;
  const send = (method: string, path: string, body: unknown) =>
    fetch(`${url}/api/admin${path}`, {
      method,
      headers: { ...current, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return async (method, path, body) => {
    let reply = await send(method, path, body);
    // A session does not outlive a jump of the clock by days.
    if (reply.status === 401 && renewHeaders !== undefined) {
      current = await renewHeaders();
      reply = await send(method, path, body);
    }
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} was answered ${reply.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

/** Signs a person in. @returns the headers of the session. */
async function signIn(url: string, username: string): Promise<Headers> {
  const reply = await fetch(`${url}/auth/simple/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ username, password: demoPassword }),
  });
  const [cookie = ''] = reply.headers.get('set-cookie')?.split(';') ?? [];
  return { cookie, origin: url };
}

/** Adds projects, context fields, segments and tag types. @returns the ids of segments by name. */
async function addShared(admin: Call, author: Call): Promise<ReadonlyMap<string, number>> {
  for (const project of demo.projects) {
    await admin('POST', '/projects', { ...project, defaultStickiness: 'userId', environments });
  }
  for (const field of demo.contextFields) await admin('POST', '/context', field);
  await admin('POST', '/tag-types', { name: 'team', description: 'The team that owns a flag', icon: 'T' });
  const ids = new Map<string, number>();
  for (const segment of demo.segments) {
    const { id } = await author<{ id: number }>('POST', '/segments', segment);
    ids.set(segment.name, id);
  }
  return ids;
}

const inProduction = (project: string, feature: string) =>
  `/projects/${project}/features/${feature}/environments/production`;

function buildRollout(feature: string, rollout: number, rest: object = {}) {
  const parameters = { rollout: String(rollout), stickiness: 'userId', groupId: feature };
  return { name: 'flexibleRollout', parameters, ...rest };
}

/** Two equal variants, for experiments. */
const halves = ['control', 'treatment'].map((name) => ({
  ...{ name, weight: 500, weightType: 'variable', stickiness: 'userId' },
}));

/** Adds the flags, one every four hours, each with a strategy where it is on. */
async function addFlags(callOf: (username: string) => Call, setClockBack: Demo['setClockBack']): Promise<void> {
  for (const [index, flag] of demo.flags.entries()) {
    const { project, name, type, description, author, team, shares, stale = false } = flag;
    await setClockBack(11.8 * day - index * 4.1 * hour);
    const call = callOf(author);
    const path = `/projects/${project}/features`;
    await call('POST', path, { name, type, description, tags: [{ type: 'team', value: team }] });
    for (const [place, environment] of environments.entries()) {
      const share = shares[place];
      if (typeof share !== 'number') continue;
      const there = `${path}/${name}/environments/${environment}`;
      const variants = type === 'experiment' ? halves : [];
      await call('POST', `${there}/strategies`, buildRollout(name, share, { variants }));
      await call('POST', `${there}/on`);
    }
    if (stale) await callOf('priya')('PATCH', `${path}/${name}`, [{ op: 'replace', path: '/stale', value: true }]);
  }
  for (const [project, name] of favorites) {
    await callOf('priya')('POST', `/projects/${project}/features/${name}/favorites`);
  }
}

const favorites = [
  ['checkout', 'new-checkout'],
  ['checkout', 'order-write-path'],
  ['search', 'semantic-ranking'],
] as const;

/** Gives one flag a history and three strategies. */
async function changeNewCheckout(
  callOf: (username: string) => Call,
  segments: ReadonlyMap<string, number>,
  setClockBack: Demo['setClockBack'],
): Promise<void> {
  const flag = '/projects/checkout/features/new-checkout';
  const strategies = `${inProduction('checkout', 'new-checkout')}/strategies`;
  await setClockBack(5.3 * day);
  const forTesters = { title: 'Beta testers', segments: [segments.get('beta-testers')] };
  await callOf('amara')('POST', strategies, buildRollout('new-checkout', 100, forTesters));
  await setClockBack(4.1 * day);
  const forBusiness = {
    title: 'EU business on the modern app',
    segments: [segments.get('modern-app')],
    constraints: [
      { contextName: 'region', operator: 'IN', values: ['eu'] },
      { contextName: 'plan', operator: 'IN', values: ['business', 'enterprise'] },
    ],
    variants: [
      { name: 'one-page', weight: 500, weightType: 'variable', stickiness: 'userId' },
      { name: 'two-step', weight: 300, weightType: 'fix', stickiness: 'userId' },
      { name: 'classic', weight: 200, weightType: 'variable', stickiness: 'userId' },
    ],
  };
  await callOf('jonas')('POST', strategies, buildRollout('new-checkout', 60, forBusiness));
  const link = { url: 'https://tracker.example.com/PAY-1182', title: 'PAY-1182 One-page checkout' };
  await callOf('jonas')('POST', `${flag}/link`, link);
  await setClockBack(2.2 * day);
  const [main] = await callOf('jonas')<{ readonly id: string }[]>('GET', strategies);
  await callOf('jonas')('PUT', `${strategies}/${main?.id}`, buildRollout('new-checkout', 25));
  for (const [span, state] of [
    [2 * day, 'off'],
    [1.96 * day, 'on'],
  ] as const) {
    await setClockBack(span);
    await callOf('amara')('POST', `${flag}/environments/staging/${state}`);
  }
}

/** Reports a day of use by three applications. */
async function reportUse(url: string, admin: Call): Promise<void> {
  const now = Date.now();
  for (const environment of ['staging', 'production'] as const) {
    const token = { tokenName: `backend-${environment}`, type: 'client', environment, projects: ['*'] };
    const { secret } = await admin<{ secret: string }>('POST', '/api-tokens', token);
    const send = async (path: string, body: unknown) => {
      const headers = { authorization: secret, 'content-type': 'application/json' };
      const reply = await fetch(`${url}/api/client/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!reply.ok) throw new Error(`${path} was answered ${reply.status}.`);
    };
    for (const { appName, sdkVersion, instances, weight } of demo.applications) {
      for (let instance = 0; instance < instances; instance += 1) {
        const registered = {
          appName,
          instanceId: `${appName}-${instance}`,
          sdkVersion,
          strategies: ['flexibleRollout'],
        };
        await send('register', { ...registered, started: new Date(now), interval: 15_000 });
      }
      for (let ago = 23; ago >= 0; ago -= 1) {
        const start = now - ago * hour;
        const toggles = buildHour(environment, ago, weight);
        const bucket = { start: new Date(start), stop: new Date(start + minute), toggles };
        await send('metrics', { appName, instanceId: `${appName}-0`, bucket });
      }
    }
  }
}

/** Builds the counts of an hour: less at night, and each flag with a size of its own. */
function buildHour(environment: (typeof environments)[number], ago: number, weight: number) {
  const byDay = 0.7 + 0.45 * Math.sin(((14 - ago) / 24) * 2 * Math.PI);
  return Object.fromEntries(
    demo.flags.map(({ name, shares }, index) => {
      const size = (environment === 'production' ? 900 : 12) * (1 + (index % 5));
      const total = Math.round(size * weight * byDay * (0.9 + 0.2 * Math.abs(Math.sin(index * 12.9 + ago * 78.2))));
      const share = (shares[environments.indexOf(environment)] ?? 0) / 100;
      const yes = Math.round(total * share);
      return [name, { yes, no: total - yes, variants: {} }];
    }),
  );
}

/** Protects the production of a project, with three people who may approve. */
async function protect(admin: Call, project: string, idOf: (username: string) => number | undefined): Promise<void> {
  const rules = { changeRequestsEnabled: true, requiredApprovals: project === 'checkout' ? 2 : 1 };
  await admin('PUT', `/projects/${project}/environments/production/change-requests/config`, rules);
  const { roles } = await admin<{ roles: { id: number; name: string }[] }>('GET', '/roles');
  const approver = roles.find(({ name }) => name === 'Approver')?.id;
  const users = ['amara', 'jonas', 'lena'].map(idOf);
  await admin('POST', `/projects/${project}/access`, { roles: [approver], groups: [], users });
}

/** Asks for changes: one waits for its second approval, one is scheduled, one waits for its first, and one is an override. */
async function askForChanges(
  callOf: (username: string) => Call,
  idOf: (username: string) => number | undefined,
  segments: ReadonlyMap<string, number>,
  setClockBack: Demo['setClockBack'],
): Promise<void> {
  const [jonas, amara, lena, priya] = ['jonas', 'amara', 'lena', 'priya'].map(callOf) as [Call, Call, Call, Call];
  const ask = async (call: Call, project: string, title: string, changes: readonly Change[]) => {
    const path = `/projects/${project}/environments/production/change-requests`;
    const made = await call<{ id: number } | readonly { id: number }[]>('POST', path, changes);
    const { id } = (Array.isArray(made) ? made[0] : made) as { id: number };
    const request = `/projects/${project}/change-requests/${id}`;
    await call('PUT', `${request}/title`, { title });
    return request;
  };
  const switchOn = (feature: string) => ({ feature, action: 'updateEnabled', payload: { enabled: true } });

  await setClockBack(23 * hour);
  const { strategies } = await jonas<{ strategies: { id: string; parameters: object; constraints: object[] }[] }>(
    'GET',
    inProduction('checkout', 'new-checkout'),
  );
  const [main, , business] = strategies;
  const update = (strategy: object | undefined, rest: object): Change => ({
    ...{ feature: 'new-checkout', action: 'updateStrategy' },
    payload: { ...strategy, title: '', ...rest },
  });
  const older = { contextName: 'appVersion', operator: 'SEMVER_GTE', value: '8.3.0', values: [] };
  const employees = { title: 'Employees first', segments: [segments.get('beta-testers')] };
  const first = await ask(jonas, 'checkout', 'Double the new checkout, open gift cards to employees', [
    update(main, { parameters: { ...main?.parameters, rollout: '50' } }),
    update(business, {
      title: 'EU business on the modern app',
      parameters: { ...business?.parameters, rollout: '100' },
      constraints: [...(business?.constraints ?? []), older],
    }),
    { feature: 'gift-cards', action: 'addStrategy', payload: buildRollout('gift-cards', 100, employees) },
    switchOn('gift-cards'),
  ]);
  await jonas('PUT', `${first}/state`, {
    state: 'In review',
    comment: 'Conversion is up 2.1% at 25% for a week, and the error rate is flat. PAY-1182 has the numbers.',
  });
  await jonas('PUT', `${first}/approvers`, { reviewers: [idOf('amara'), idOf('priya')] });
  await setClockBack(7 * hour);
  const prices = await ask(lena, 'growth', 'Publish the 2027 prices', [switchOn('pricing-page-2027')]);
  await lena('PUT', `${prices}/state`, { state: 'In review', comment: 'Goes live with the press release.' });
  await jonas('PUT', `${prices}/state`, { state: 'Approved' });
  const scheduledAt = new Date(Date.now() + 40 * hour).toISOString();
  await priya('PUT', `${prices}/state`, { state: 'Scheduled', scheduledAt });
  await setClockBack(5 * hour);
  await amara('POST', `${first}/comments`, { text: 'What happens to customers on app 8.2 who see it today?' });
  await setClockBack(4.2 * hour);
  await jonas('POST', `${first}/comments`, { text: 'They go back to the classic checkout: 8.2 has the address bug.' });
  await setClockBack(3.1 * hour);
  await amara('PUT', `${first}/state`, { state: 'Approved', comment: 'The numbers look right to me.' });
  await setClockBack(52 * minute);
  const images = await ask(lena, 'search', 'Switch image search on', [switchOn('image-search')]);
  await lena('PUT', `${images}/state`, { state: 'In review' });
  await lena('PUT', `${images}/approvers`, { reviewers: [idOf('priya')] });
  await setClockBack(9 * minute);
  const override = { reason: 'Search latency above 2 s since 02:41', minutes: 60 };
  await lena('POST', '/projects/search/environments/production/change-requests/override', override);
  await setClockBack(8 * minute);
  await lena('POST', `${inProduction('search', 'facet-counts')}/off`);
}
