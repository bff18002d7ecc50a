import { setTimeout as sleep } from 'node:timers/promises';
import { listMarkedThings, type Marks, markup } from '../../marked-things.ts';
import { type Ask, askAsPerson, password, people } from '../stage.ts';
import type { Secrets } from './secrets.ts';

/** Text of right-to-left languages, combined emoji, an address of a script, and a line that cannot be broken. */
const marks: Marks = (what, longest) =>
  `${what} ${markup} \u202eمرحبا 🏳️‍🌈👩‍👩‍👧‍👦 javascript:ran=1 ${'W'.repeat(longest)}`
    .trim()
    .slice(0, longest)
    .toWellFormed();

/** The longest name in a path. */
const longName = `n-${'a'.repeat(98)}`;
/** An application may have more letters, but not more bytes. */
const application = marks('App', 200);

/** Ids of what the pages are about. */
interface HostileTeam {
  readonly application: string;
  readonly person: number;
  readonly group: number;
  readonly role: number;
  readonly segment: number;
  readonly addon: number;
  readonly request: number;
}

/** Fills a service with the names, descriptions and values of people who want to harm others, each as long as the API takes. */
export async function createHostileTeam(url: string, secrets: Secrets): Promise<HostileTeam> {
  const asAdmin = await askAsPerson(url, people.admin);
  const ids: Record<string, number> = {};
  const ask: Ask = async (method, path, body) => {
    const answer = await asAdmin(method, path, body);
    secrets.learnFrom(answer);
    const { id, roles } = (answer ?? {}) as { readonly id?: number; readonly roles?: { readonly id: number } };
    const known = roles?.id ?? id;
    if (known !== undefined) ids[path.slice(1)] = known;
    return answer;
  };
  for (const [method, path, body] of listMarkedThings(marks)) await ask(method, path.replace('/api/admin', ''), body);
  await createPlaces(ask);
  await createSecrets(ask, ids['service-account'], secrets);
  await report(url, asAdmin, secrets);
  const request = await requestChanges(url, ask);
  return {
    ...{ application, request },
    ...{ person: ids['user-admin'] ?? 0, group: ids.groups ?? 0, role: ids.roles ?? 0 },
    ...{ segment: ids.segments ?? 0, addon: ids.addons ?? 0 },
  };
}

async function createPlaces(ask: Ask): Promise<void> {
  for (const name of [longName, '__proto__', 'constructor'])
    await ask('POST', '/projects/marked/features', { name, description: marks('Flag', 200) });
  await ask('PUT', '/projects/marked/settings', {
    featureNaming: { pattern: '.*', example: marks('Example', 500), description: marks('Names', 1_000) },
    linkTemplates: [{ title: marks('Link', 500), urlTemplate: 'https://example.com/%3Cscript%3E' }],
  });
  await ask('POST', '/environments', { name: longName, type: marks('Type', 100) });
  await ask('POST', '/projects/marked/environments', { environment: longName });
  await ask('POST', '/banners', {
    ...{ message: marks('Banner', 2_000), variant: 'error' },
    ...{ link: `https://example.com/${'a'.repeat(1_000)}`, linkText: marks('More', 200) },
  });
  await ask('POST', '/invite-link/tokens', { name: marks('Link', 255), expiresAt: '2099-01-01T00:00:00.000Z' });
}

/** Creates one of each kind of secret that the marked things do not have. */
async function createSecrets(ask: Ask, account: number | undefined, secrets: Secrets): Promise<void> {
  const expiresAt = '2099-01-01T00:00:00.000Z';
  await ask('POST', `/service-account/${account}/token`, { description: marks('Token', 255), expiresAt });
  await ask('POST', '/api-tokens', { tokenName: marks('Page', 255), type: 'frontend' });
  await ask('POST', '/projects/marked/api-tokens', {
    ...{ tokenName: marks('Project', 255), type: 'client', environment: 'development' },
  });
  const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  secrets.add(signingSecret);
  await ask('PUT', '/addons/1', {
    ...{ provider: 'webhook', enabled: false, events: ['feature-created'], description: marks('Webhook', 1_000) },
    parameters: { url: 'https://example.com/', signingSecret },
  });
}

/** Registers an application as the SDK of an attacker would, and waits until it is listed. */
async function report(url: string, ask: Ask, secrets: Secrets): Promise<void> {
  const { secret } = (await ask('POST', '/api-tokens', { tokenName: 'sdk', type: 'client', projects: ['*'] })) as {
    readonly secret: string;
  };
  secrets.add(secret);
  const headers = { authorization: secret, 'content-type': 'application/json' };
  const who = { appName: application, instanceId: marks('Instance', 200), sdkVersion: marks('Sdk', 200) };
  const body = { ...who, started: new Date(), interval: 1, strategies: [marks('Strategy', 200)] };
  const reply = await fetch(`${url}/api/client/register`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(await reply.text());
  for (let isShown = false; !isShown; await sleep(300))
    isShown = JSON.stringify(await ask('GET', '/metrics/applications')).includes('ran:');
}

/** Asks for changes as somebody with a hostile name. @returns the id of the change request. */
async function requestChanges(url: string, ask: Ask): Promise<number> {
  const username = markup.replaceAll(' ', '-');
  const { id } = (await ask('POST', '/user-admin', {
    ...{ username, name: marks('Mallory', 255), rootRole: 2, password, sendEmail: false },
  })) as { readonly id: number };
  await ask('PUT', '/projects/marked/environments/production/change-requests/config', {
    ...{ changeRequestsEnabled: true, requiredApprovals: 1 },
  });
  const mallory = await askAsPerson(url, username);
  const payload = { name: 'flexibleRollout', title: marks('Strategy', 2_000), parameters: { rollout: '50' } };
  const constraints = [{ contextName: 'userId', operator: 'NOT_IN', values: [marks('User', 100)] }];
  const change = { feature: 'marked', action: 'addStrategy', payload: { ...payload, constraints } };
  const asked = await mallory('POST', '/projects/marked/environments/production/change-requests', change);
  const [request] = [asked].flat() as { readonly id: number }[];
  const path = `/projects/marked/change-requests/${request?.id}`;
  await mallory('PUT', `${path}/title`, { title: marks('Title', 250) });
  await mallory('POST', `${path}/comments`, { text: marks('Comment', 1_000) });
  await mallory('PUT', `${path}/state`, { state: 'In review' });
  await ask('PUT', `/projects/marked/users/${id}/roles`, { roles: [4] });
  return request?.id ?? 0;
}
