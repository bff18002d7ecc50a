import type { World } from './world.ts';

const strategy = (rollout: string) => ({
  ...{ name: 'flexibleRollout', sortOrder: 0, parameters: { rollout, groupId: '{{featureName}}' } },
});
const inAnHour = { transitionCondition: { intervalMinutes: 60 } };

/** Gives a feature that is on a plan of three milestones; returns the paths and the ids. */
export async function startPlan(world: World) {
  const feature = await world.feature({ on: true });
  const { projectId, featureName, environment } = feature.place;
  const here = `/api/admin/projects/${projectId}/features/${featureName}/environments/${environment}`;
  const milestones = [
    { ...inAnHour, name: 'Few', strategies: [strategy('10')] },
    { ...inAnHour, name: 'Half', strategies: [strategy('50')] },
    { name: 'All', strategies: [strategy('100')] },
  ];
  const template = await world.ask('POST', '/api/admin/release-plan-templates', {
    ...{ name: world.name('template'), milestones },
  });
  const { body } = await world.ask('POST', `${here}/release-plans`, { templateId: template.body.id });
  const [few = '', half = '', all = ''] = body.milestones.map(({ id }: { id: string }): string => id);
  const plan = `${here}/release-plans/${body.id}`;
  return { ...feature, here, plan, planId: body.id as string, few, half, all };
}
