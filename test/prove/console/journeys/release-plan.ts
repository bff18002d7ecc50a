import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask, Journey } from '../stage.ts';

/** The most time until a milestone of a minute has given way to the next one. */
const patienceMs = 150_000;

const flag = '/projects/search/features/autocomplete';
const production = `${flag}/environments/production`;

const rollout = (share: string) => ({
  ...{ name: 'flexibleRollout', sortOrder: 0 },
  parameters: { rollout: share, stickiness: 'userId', groupId: '{{featureName}}' },
});

interface Plan {
  readonly activeMilestoneId: string | null;
  readonly milestones: readonly { readonly id: string; readonly name: string; readonly startedAt?: string }[];
}

/** Returns the name of the active milestone; undefined without a plan. */
async function activeOf(ask: Ask): Promise<string | undefined> {
  const [plan] = (await ask('GET', `${production}/release-plans`)) as readonly Plan[];
  return plan?.milestones.find(({ id }) => id === plan.activeMilestoneId)?.name;
}

/** Adds a template, and a flag that is on for a twentieth of users in production. */
async function prepare(ask: Ask): Promise<void> {
  const timed = { transitionCondition: { intervalMinutes: 90 } };
  await ask('POST', '/release-plan-templates', {
    name: 'Careful',
    milestones: [
      { ...timed, name: 'Few', strategies: [rollout('10')] },
      { ...timed, name: 'Half', strategies: [rollout('50')] },
      { name: 'Everybody', strategies: [rollout('100')] },
    ],
  });
  await ask('POST', '/projects/search/features', { name: 'autocomplete', type: 'release' });
  const own = { rollout: '5', stickiness: 'userId', groupId: 'autocomplete' };
  await ask('POST', `${production}/strategies`, { name: 'flexibleRollout', title: 'Testers', parameters: own });
  await ask('POST', `${production}/on`);
}

export const releaseByPlan: Journey = {
  title: 'give a flag a release plan, and let it go on, pause, resume, go back and end',
  async run({ enter, ask, promises }) {
    await prepare(ask);
    const [author, other] = await Promise.all([enter('author'), enter('reviewer')]);
    await author.open(flag);
    await author.press(/^Use a release plan.*in production$/);
    await author.write('Template', 'Careful');
    await author.sees('Lasts 90 minutes');
    await author.picture('plan template');
    await author.press('Use this plan');
    await author.sees('Few, 1 of 3');
    promises.same('the first milestone starts at once', await activeOf(ask), 'Few');

    await author.press(/^Change how long Few lasts/);
    await author.write('Time', '1');
    await author.press('Save');
    await author.sees('Lasts 1 minute');
    const end = Date.now() + patienceMs;
    while ((await activeOf(ask)) !== 'Half' && Date.now() < end) await sleep(1_000);
    promises.same('the next milestone starts by time', await activeOf(ask), 'Half');
    await author.sees('Half, 2 of 3');
    await author.sees('started the milestone “Half” after “Few” by itself');

    await author.press(/^Pause.*in production$/);
    await author.sees('Until it is resumed');
    await author.picture('plan paused');
    await author.press(/^Resume.*in production$/);
    await author.press('Resume');
    await author.sees('“Everybody” starts in');
    await author.press(/^Go back.*in production$/);
    await author.sees('SDKs get it within seconds');
    await author.press('Go back now');
    await author.sees('Few, 1 of 3');

    await other.open(flag);
    await other.press(/^Start Half.*in production$/);
    await author.press(/^Start Half.*in production$/);
    await author.press('Start now');
    await author.sees('Half, 2 of 3');
    await other.press('Start now');
    await other.sees('started the milestone “Half”');
    await other.picture('plan overtaken');
    await other.press('Cancel');
    await other.sees('Half, 2 of 3');
    promises.same('a milestone that two people start is started once', await activeOf(ask), 'Half');

    await author.press(/^Add a safeguard.*in production$/);
    await author.write('Number', '100');
    await author.press('Add');
    await author.sees('Pauses the plan if fewer than 100 evaluations');
    await author.sees('No data');
    await author.picture('plan safeguard');

    await author.press(/^Acts on the release plan in production/);
    await author.press(/^Remove the plan/, 'menuitem');
    await author.sees('The strategy of the flag itself remains');
    await author.press('Remove');
    await author.find(/^Use a release plan.*in production$/, 'button');
    await author.sees('Testers');
    promises.same('the plan is gone', await activeOf(ask), undefined);
  },
};
