import type { Promises } from '../promises.ts';
import { button, byId, inDialog, item } from './selectors.ts';
import type { Visitor } from './visitor.ts';

const environment = byId('FEATURE_ENVIRONMENT_ACCORDION_production');

/** A release whose every step is approved. */
interface RequestedRelease {
  readonly admin: Visitor;
  readonly author: Visitor;
  readonly project: string;
  /** Has somebody else approve and apply a change request. */
  readonly decide: (id: number) => Promise<void>;
}

interface PlanState {
  readonly milestones: readonly { readonly name: string; readonly id: string }[];
  readonly activeMilestoneId: string | null;
  readonly nextAt: string | null;
  readonly safeguards: readonly object[];
}

/**
 * Proves that a release plan goes its way in a protected environment by change requests: it is added, then started with a time and a
 * safeguard, then removed.
 * @param first the id of the first change request.
 */
export async function proveRequestedPlan(
  { admin, author, project, decide }: RequestedRelease,
  promises: Promises,
  first: number,
): Promise<void> {
  const flag = `/projects/${project}/features/release`;
  await admin.ask('POST', `/api/admin/projects/${project}/features`, { name: 'release' });
  const plans = () =>
    admin.ask('GET', `/api/admin${flag}/environments/production/release-plans`) as Promise<PlanState[]>;
  const openPlan = async () => {
    await author.open(flag);
    await author.pressAt(`${environment} .environment-accordion-summary`);
    await author.sees('Release plan:');
  };
  const suggest = async () => {
    await author.pressAt(inDialog('Request changes', 'Add suggestion to draft'));
    await author.sees('draft');
  };
  const submit = async (id: number, picture: string) => {
    await author.pressAt(button('View changes'));
    await author.picture(picture);
    await author.pressAt(button('Submit change request'));
    await decide(id);
  };

  await author.open(flag);
  await author.pressAt(`${environment} ${byId('ADD_STRATEGY_BUTTON')}`);
  await author.pressAt('::-p-xpath(//*[@role="dialog"]//*[text()="Progressive rollout"])');
  await author.pressAt('::-p-xpath((//*[@role="dialog"]//button[normalize-space(.)="Apply"])[1])');
  await submit(first, 'draft-of-plan');
  promises.same('a release plan is added by a change request', (await plans()).map(stateOf), ['none untimed 0']);

  await openPlan();
  await author.pressAt('input[aria-label=production]');
  await suggest();
  await author.pressAt('::-p-xpath((//button[normalize-space(.)="Start now"])[2])');
  await suggest();
  await author.pressAt('::-p-xpath((//button[normalize-space(.)="Add automation"])[2])');
  await author.pressAt(button('Save'));
  await suggest();
  await author.press('Add safeguard');
  await author.pressAt(item('Pause automation'));
  await author.pressAt(`${environment} form button[type=submit]`);
  await suggest();
  await author.picture('plan-in-draft');
  await submit(first + 1, 'draft-of-start');
  const started = (await plans()).map(stateOf);
  promises.same('a milestone, its time and a safeguard are approved together', started, ['50% timed 1']);

  await openPlan();
  await author.picture('approved-plan');
  await author.pressAt(`${environment} button[aria-labelledby]:has(${byId('DeleteIcon')})`);
  await suggest();
  await submit(first + 2, 'draft-of-end');
  promises.same('a release plan is removed by a change request', await plans(), []);
}

function stateOf({ milestones, activeMilestoneId, nextAt, safeguards }: PlanState): string {
  const active = milestones.find(({ id }) => id === activeMilestoneId)?.name ?? 'none';
  return `${active} ${nextAt === null ? 'untimed' : 'timed'} ${safeguards.length}`;
}
