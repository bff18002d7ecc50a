import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoles } from '../../../lib/identity/permissions.ts';
import { startLocalProcess } from '../../harness/local-process.ts';
import { startNodeSdk } from '../../harness/node-sdk.ts';
import { changeMs, Promises } from '../promises.ts';

const flag = 'checkout';
/** A flag with a safeguard, which goes back while the time moves the other one on. */
const guardedFlag = 'search';
const project = '/api/admin/projects/default';
const placeOf = (name: string) => `${project}/features/${name}/environments/development`;
const here = placeOf(flag);
/** The local clock looks for what is due this often. */
const clockMs = 5_000;
const minuteMs = 60_000;
const smokeTest = {
  id: 'smoke',
  impactMetric: { metricName: 'signal', timeRange: 'hour', aggregationMode: 'count' },
  triggerCondition: { operator: '>', threshold: 0 },
};

/** The milestones of the template: a person starts the second, and the time the third. */
const milestones = [
  { name: 'Few', share: '10' },
  { name: 'Some', share: '25', transitionCondition: { intervalMinutes: 1 } },
  { name: 'Half', share: '50' },
  { name: 'All', share: '100' },
].map(({ share, ...milestone }) => ({
  ...milestone,
  strategies: [{ name: 'flexibleRollout', parameters: { rollout: share, groupId: '{{featureName}}' } }],
}));

// biome-ignore lint/suspicious/noExplicitAny: replies of all kinds.
type Reply = { readonly status: number; readonly body: any };

/** Goes the way of a release from outside: over HTTP, with the real server, and with the SDK of Node. */
export async function proveScenario(): Promise<Promises> {
  const promises = new Promises('a release from outside');
  await using server = await startLocalProcess({ store: 'file' });

  async function ask(method: string, path: string, body?: unknown, token = server.token): Promise<Reply> {
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: token, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** Makes somebody who may change flags of the project, or approve changes, too; returns their token. */
  async function member(username: string, ...roles: readonly number[]): Promise<string> {
    const { body } = await ask('POST', '/api/admin/service-account', { username, name: username, rootRole: 3 });
    await ask('PUT', `${project}/users/${body.id}/roles`, { roles: [projectRoles.Member, ...roles] });
    const content = { description: 'release', expiresAt: '2126-01-01T00:00:00.000Z' };
    return (await ask('POST', `/api/admin/service-account/${body.id}/token`, content)).body.secret;
  }

  const [ann, bob] = [await member('ann'), await member('bob', projectRoles.Approver)];
  const tokenInput = { tokenName: 'sdk', type: 'client', environment: 'development', projects: ['*'] };
  const { secret } = (await ask('POST', '/api/admin/api-tokens', tokenInput)).body;
  const template = (await ask('POST', '/api/admin/release-plan-templates', { name: 'In four steps', milestones })).body;
  await ask('POST', `${project}/features`, { name: flag, type: 'release' }, ann);
  const { status, body: plan } = await ask('POST', `${here}/release-plans`, { templateId: template.id }, ann);
  promises.same('a member gives the flag a plan', [status, plan.activeMilestoneId], [200, null]);
  const [few = '', some = '', half = '', all = ''] = plan.milestones.map(({ id }: { id: string }) => id);
  await ask('POST', `${here}/on`, undefined, ann);

  await ask('POST', `${project}/features`, { name: guardedFlag, type: 'release' }, bob);
  const guarded = (await ask('POST', `${placeOf(guardedFlag)}/release-plans`, { templateId: template.id }, bob)).body;
  await ask('POST', `${placeOf(guardedFlag)}/on`, undefined, bob);

  const intervals = { refreshInterval: 200, metricsInterval: 1_000 };
  await using sdk = startNodeSdk(server.url, secret, { appName: 'release', ...intervals });
  const shares = (name = flag) =>
    sdk.unleash.getFeatureToggleDefinition(name)?.strategies?.map(({ parameters }) => parameters.rollout) ?? [];
  const reaches = (milliseconds: number, share: string) =>
    promises.within(milliseconds, `SDKs get ${share} %`, () => shares()[0] === share);
  const start = (id: string, token: string) =>
    ask('POST', `${here}/release-plans/${plan.id}/milestones/${id}/start`, undefined, token);
  const readPlan = async () => (await ask('GET', `${here}/release-plans`)).body[0];
  const countStarts = async () => {
    const { body } = await ask('GET', `/api/admin/events/${flag}?limit=100`);
    return body.events.filter(({ type }: { type: string }) => type === 'release-plan-milestone-started').length;
  };
  await reaches(changeMs + 5_000, '10');

  const answers = await Promise.all([start(some, ann), start(some, bob)]);
  promises.same(
    'two people start a milestone at once',
    answers.map((answer) => [answer.status, answer.body.activeMilestoneId]),
    [
      [200, some],
      [200, some],
    ],
  );
  promises.same('and it starts once', await countStarts(), 2);
  await reaches(changeMs, '25');

  const plans = `${placeOf(guardedFlag)}/release-plans/${guarded.id}`;
  await ask('POST', `${plans}/milestones/${guarded.milestones[2].id}/start`, undefined, bob);
  const measure = { metricName: 'orders_failed', timeRange: 'hour', aggregationMode: 'count', labelSelectors: {} };
  const triggerCondition = { operator: '>', threshold: 10 };
  const safeguard = { impactMetric: measure, triggerCondition, action: { type: 'startPreviousMilestone' } };
  promises.same('a plan takes a safeguard', (await ask('PUT', `${plans}/safeguards`, safeguard, bob)).status, 200);
  sdk.unleash.impactMetrics.defineCounter('orders_failed', 'Orders that failed');
  sdk.unleash.impactMetrics.incrementCounter('orders_failed', 50);
  // The service adds up what SDKs report, and stores it each minute.
  const trip = promises.within(minuteMs + 3 * clockMs, 'a counter of the SDK sends the flag back', () => {
    return shares(guardedFlag)[0] === '10';
  });
  const [ms] = await Promise.all([reaches(minuteMs + 2 * clockMs + changeMs, '50'), trip]);
  console.log(`The next milestone reached the SDK ${(ms / 1_000).toFixed(0)} s after the one before.`);
  const told = (await ask('GET', `/api/admin/events/${guardedFlag}?limit=100`)).body.events;
  const isTrip = ({ type }: { readonly type: string }) => type === 'safeguard-triggered';
  promises.same('and one event tells why', told.filter(isTrip).length, 1);
  const [stopped] = (await ask('GET', `${placeOf(guardedFlag)}/release-plans`)).body;
  promises.hold('and its plan is paused', stopped.milestones[0].pausedAt !== undefined, stopped);

  await ask('PUT', `${plans}/safeguards`, { ...smokeTest, action: safeguard.action }, bob);
  await ask('POST', `${plans}/milestones/${guarded.milestones[2].id}/start`, undefined, bob);
  await promises.within(changeMs, 'a person moves the paused plan on', () => shares(guardedFlag)[0] === '50');
  await sleep(2 * clockMs);
  promises.same('and what stopped it before does not stop it again', shares(guardedFlag), ['50']);
  const signalToken = (await ask('POST', `${placeOf(guardedFlag)}/safeguards/smoke/signal-token`, undefined, bob)).body;
  const signal = await ask(
    'POST',
    '/safeguards/smoke/signal',
    { reason: 'Orders fail' },
    `Bearer ${signalToken.token}`,
  );
  promises.same('but a new signal does', signal.status, 200);
  await promises.within(changeMs, 'and sends the flag back', () => shares(guardedFlag)[0] === '10');
  const toldAgain = (await ask('GET', `/api/admin/events/${guardedFlag}?limit=100`)).body.events;
  promises.same('with an event of its own', toldAgain.filter(isTrip).length, 2);
  const moved = await readPlan();
  promises.same('the time has moved one milestone', [moved.activeMilestoneId, moved.nextAt], [half, null]);
  promises.same('with one event', await countStarts(), 3);

  const config = { changeRequestsEnabled: true, requiredApprovals: 1 };
  await ask('PUT', `${project}/environments/development/change-requests/config`, config);
  promises.same('a protected environment refuses the next milestone', (await start(all, ann)).status, 403);
  const change = { feature: flag, action: 'startMilestone', payload: { planId: plan.id, milestoneId: all } };
  const requested = await ask('POST', `${project}/environments/development/change-requests`, change, ann);
  const bring = async (state: string, token: string) =>
    (await ask('PUT', `${project}/change-requests/${requested.body.id}/state`, { state }, token)).status;
  promises.same('a member asks for it', [requested.status, await bring('In review', ann)], [200, 200]);
  promises.same('and cannot approve it', await bring('Approved', ann), 403);
  promises.same('but somebody else can', await bring('Approved', bob), 200);
  promises.same('and SDKs do not get it before it is applied', shares(), ['50']);
  promises.same('which an approver does', await bring('Applied', bob), 200);
  await reaches(changeMs, '100');
  promises.same('and lets a member go back', (await start(few, ann)).status, 200);
  await reaches(changeMs, '10');
  const pause = await ask('POST', `${here}/progressions/${plan.id}/pause`, undefined, bob);
  promises.same('and pause', pause.status, 200);

  const removed = await ask('DELETE', `${here}/release-plans/${plan.id}`);
  promises.same('an administrator removes the plan', removed.status, 204);
  await promises.within(changeMs, 'SDKs get nothing of it any more', () => shares().length === 0);
  promises.same('the flag is off', sdk.unleash.isEnabled(flag), false);
  promises.same('the SDK had no errors', sdk.seen.errors, []);
  return promises;
}
