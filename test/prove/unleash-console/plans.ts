import { button, byId, fieldOf, inDialog, item } from './selectors.ts';
import type { Visitor } from './visitor.ts';
import type { Walk } from './walk.ts';

const flag = '/projects/shop/features/new-search';
const place = `/api/admin${flag}/environments/development`;
const environment = byId('FEATURE_ENVIRONMENT_ACCORDION_development');
const template = 'Careful rollout';
const card = `//a[contains(., "${template}")]`;
const startNow = (index: number) => `::-p-xpath((//button[normalize-space(.)="Start now"])[${index}])`;
const threshold = `${environment} form input[placeholder=Value]`;
const duration = 'input[aria-label="Time duration value"]';

interface Plan {
  readonly id: string;
  readonly nextAt: string | null;
  readonly milestones: readonly { readonly strategies: readonly { readonly id: string }[] }[];
  readonly safeguards: readonly { readonly triggerCondition: { readonly threshold: number } }[];
}

async function planOf(visitor: Visitor): Promise<Plan> {
  const [plan] = (await visitor.ask('GET', `${place}/release-plans`)) as Plan[];
  if (plan === undefined) throw new Error('The flag has no plan.');
  return plan;
}

async function openPlan(visitor: Visitor): Promise<void> {
  await visitor.open(flag);
  await visitor.pressAt(`${environment} .environment-accordion-summary`);
  await visitor.sees('Release plan:');
}

/** Reports a metric as an SDK does. */
async function reportErrors(visitor: Visitor): Promise<void> {
  const token = { tokenName: 'search', type: 'client', environment: 'development', projects: ['shop'] };
  const { secret } = (await visitor.ask('POST', '/api/admin/api-tokens', token)) as { secret: string };
  const samples = [{ labels: { appName: 'search', environment: 'development' }, value: 5 }];
  const impactMetrics = [{ name: 'errors', help: 'Errors', type: 'counter', samples }];
  const report = { appName: 'search', bucket: null, impactMetrics };
  await visitor.ask('POST', '/api/client/metrics', report, { authorization: secret });
  // The service writes reports once a minute, and before it answers Prometheus.
  await visitor.evaluate(`fetch('/internal-backstage/impact/metrics').then((reply) => reply.status)`);
}

/** Adds a safeguard against signals to the plan, and sends one. */
async function signalFault(visitor: Visitor): Promise<void> {
  const impactMetric = { metricName: 'signal', timeRange: 'hour', aggregationMode: 'count' };
  const safeguard = { id: 'smoke-test', impactMetric, triggerCondition: { operator: '>', threshold: 0 } };
  const { id } = await planOf(visitor);
  await visitor.ask('PUT', `${place}/release-plans/${id}/safeguards`, safeguard);
  const created = await visitor.ask('POST', `${place}/safeguards/smoke-test/signal-token`);
  const { token } = created as { token: string };
  await visitor.ask('POST', '/safeguards/smoke-test/signal', {}, { authorization: `Bearer ${token}` });
}

/** Steps of a release: a template, a plan of it with its milestones, their times, strategies and safeguards, and the end of both. */
export const planSteps: Walk = {
  async 'create a release template'(visitor) {
    await visitor.ask('POST', '/api/admin/projects/shop/features', { name: 'new-search' });
    await visitor.open('/release-templates');
    await visitor.sees('the service');
    await visitor.picture('first-template');
    await visitor.open('/release-templates/create-template');
    await visitor.write(fieldOf('Template name'), template);
    await visitor.press('Add strategy');
    await visitor.pressAt('::-p-xpath(//*[text()="Gradual rollout"])');
    await visitor.write(`${byId('SIDEBAR_MODAL_ID')} input[type=number]`, '10');
    await visitor.pressAt(`${byId('SIDEBAR_MODAL_ID')} button[type=submit]`);
    // A new milestone has the strategies of the one before.
    await visitor.press('Add milestone');
    await visitor.pressAt('::-p-xpath((//button[@title="Edit strategy"])[last()])');
    await visitor.write(`${byId('SIDEBAR_MODAL_ID')} input[type=number]`, '100');
    await visitor.pressAt(`${byId('SIDEBAR_MODAL_ID')} button[type=submit]`);
    await visitor.picture('create-template');
    await visitor.pressAt(button('Create template'));
    await visitor.arrives('/release-templates');
    await visitor.sees(template);
  },
  async 'change the release template'(visitor) {
    await visitor.pressAt(`::-p-xpath(${card})`);
    await visitor.write('form textarea', 'A tenth, then all');
    await visitor.picture('edit-template');
    await visitor.pressAt(button('Save changes'));
    await visitor.arrives('/release-templates');
    await visitor.open('/release-templates');
    await visitor.sees('A tenth, then all');
    await visitor.picture('templates');
  },
  async 'give a flag a release plan'(visitor) {
    await visitor.open(flag);
    await visitor.pressAt(`${environment} ${byId('ADD_STRATEGY_BUTTON')}`);
    await visitor.picture('choose-template');
    await visitor.pressAt(`::-p-xpath((//*[@role="dialog"]//button[normalize-space(.)="Preview"])[1])`);
    await visitor.sees('Milestone 2');
    await visitor.picture('preview-plan');
    await visitor.press('Apply template');
    await visitor.sees('Release plan added');
    await openPlan(visitor);
    await visitor.picture('plan-off');
  },
  async 'start its milestones'(visitor) {
    await visitor.pressAt('input[aria-label=development]');
    await visitor.sees('Running');
    await visitor.pressAt(startNow(1));
    await visitor.sees('Milestone "Milestone 2" has started');
    await visitor.picture('second-milestone');
    await visitor.pressAt(startNow(1));
    await visitor.sees('Milestone "Milestone 1" has started');
    await visitor.picture('first-milestone');
  },
  async 'let the next milestone start by itself'(visitor) {
    await visitor.pressAt(button('Add automation'));
    await visitor.write(duration, '2');
    await visitor.pressAt(button('Save'));
    await visitor.sees('Automation configured successfully');
    await visitor.sees('Will proceed at');
    await visitor.sees('Starting');
    const { nextAt } = await planOf(visitor);
    const hours = (Date.parse(nextAt ?? '') - Date.now()) / 3_600_000;
    if (!(hours > 1 && hours < 2)) throw new Error(`The next milestone starts at ${nextAt}.`);
    await visitor.write(duration, '3');
    await visitor.pressAt(button('Save'));
    await visitor.sees('in about 3 hours');
    await visitor.picture('automation');
  },
  async 'change a strategy of a milestone'(visitor) {
    const { milestones } = await planOf(visitor);
    const id = milestones[0]?.strategies[0]?.id;
    await visitor.open(`${flag}/strategies/edit?environmentId=development&strategyId=${id}`);
    await visitor.write('#title-input', 'A fifth');
    await visitor.write('form input[type=number]', '20');
    await visitor.picture('edit-milestone-strategy');
    await visitor.pressAt(byId('STRATEGY_FORM_SUBMIT_ID'));
    await visitor.arrives(flag);
    await openPlan(visitor);
    await visitor.pressAt('::-p-xpath(//button[contains(., "Milestone 1")][contains(., "View strategy")])');
    await visitor.sees('A fifth');
    await visitor.picture('changed-milestone-strategy');
  },
  async 'guard the plan by a metric of SDKs'(visitor) {
    await reportErrors(visitor);
    await openPlan(visitor);
    await visitor.press('Add safeguard');
    await visitor.pressAt(item('Pause automation'));
    await visitor.write(threshold, '30');
    await visitor.picture('add-safeguard');
    await visitor.pressAt(`${environment} form button[type=submit]`);
    await visitor.sees('Safeguard added successfully');
    await openPlan(visitor);
    await visitor.write(threshold, '20');
    await visitor.pressAt(`${environment} form button[type=submit]`);
    await visitor.sees('Safeguard added successfully');
    await visitor.picture('safeguard');
    const limits = (await planOf(visitor)).safeguards.map(({ triggerCondition }) => triggerCondition.threshold);
    if (limits.join() !== '20') throw new Error(`The plan has the safeguards ${limits}.`);
  },
  async 'see that a safeguard has paused the plan, and resume it'(visitor) {
    await signalFault(visitor);
    await openPlan(visitor);
    await visitor.sees('Automation paused by safeguard');
    await visitor.picture('paused');
    await visitor.pressAt('::-p-xpath(//a[normalize-space(.)="Resume automation"])');
    await visitor.sees('Automation resumed successfully');
    await visitor.sees('Will proceed at');
    await visitor.press('Remove automation for Milestone 1');
    await visitor.pressAt(inDialog('Remove automation?', 'Remove automation'));
    await visitor.sees('Automation removed successfully');
    await visitor.picture('resumed');
  },
  async 'remove its safeguards'(visitor) {
    for (const _safeguard of (await planOf(visitor)).safeguards) {
      await openPlan(visitor);
      await visitor.press('Remove safeguard');
      await visitor.pressAt(inDialog('Remove safeguard?', 'Remove safeguard'));
      await visitor.sees('Safeguard deleted successfully');
    }
    await visitor.sees('Add safeguard');
    await visitor.picture('removed-safeguards');
  },
  async 'replace the plan, and remove it'(visitor) {
    await visitor.pressAt(`${environment} ${byId('ADD_STRATEGY_BUTTON')}`);
    await visitor.pressAt('::-p-xpath(//*[@role="dialog"]//*[text()="Progressive rollout"])');
    await visitor.pressAt('::-p-xpath((//*[@role="dialog"]//button[normalize-space(.)="Apply"])[2])');
    await visitor.pressAt(inDialog('Replace release plan?', 'Add release plan'));
    await visitor.sees('To a quarter of all users');
    await visitor.picture('replaced');
    await visitor.pressAt(`${environment} button[aria-labelledby]:has(${byId('DeleteIcon')})`);
    await visitor.pressAt(inDialog('Remove release plan?', 'Remove release plan'));
    await visitor.sees('0 strategies added');
    await visitor.picture('removed');
  },
  async 'archive the release template'(visitor) {
    await visitor.open('/release-templates');
    await visitor.pressAt(`::-p-xpath(${card}//button)`);
    await visitor.pressAt(item('Archive template'));
    await visitor.pressAt(inDialog('Archive release template?', 'Archive template'));
    await visitor.sees('archived');
    await visitor.picture('archived');
  },
};
