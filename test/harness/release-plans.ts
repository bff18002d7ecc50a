import { expect } from 'vitest';
import type { FeatureOptions, World } from './world.ts';

/* Features with a release plan, for tests of everything else that meets one. */

/** A strategy of a milestone for a share of users, in percent. */
export const share = (percent: string, more: object = {}) => ({
  ...{ name: 'flexibleRollout', sortOrder: 0, parameters: { rollout: percent, groupId: '{{featureName}}' }, ...more },
});

/** A milestone after which the next one starts an hour later. */
export const hourly = (name: string, ...strategies: readonly object[]) => ({
  ...{ name, strategies, transitionCondition: { intervalMinutes: 60 } },
});

const twoMilestones = [hourly('Few', share('10')), { name: 'All', strategies: [share('100')] }];

interface ShownMilestone {
  readonly id: string;
  readonly name: string;
  readonly strategies: readonly { readonly id: string }[];
}

/** Makes a template of milestones, of the whole service or of a project. */
export async function makeTemplate(
  world: World,
  milestones: readonly object[] = twoMilestones,
  project: string | null = null,
): Promise<string> {
  const content = { name: world.name('template'), milestones, project };
  const { status, body } = await world.service.call('POST', '/api/admin/release-plan-templates', { body: content });
  expect(status).toBe(201);
  return body.id;
}

interface PlannedOptions extends FeatureOptions {
  readonly milestones?: readonly object[];
  /** The project of the template. */
  readonly templateOf?: string | null;
}

/** Makes a feature, on by default, with a plan of some milestones. */
export async function makePlanned(
  world: World,
  { milestones = twoMilestones, templateOf = null, ...options }: PlannedOptions = {},
) {
  const feature = await world.feature({ on: true, ...options });
  const { projectId, featureName, environment } = feature.place;
  const path = `/api/admin/projects/${projectId}/features/${featureName}/environments/${environment}/release-plans`;
  const templateId = await makeTemplate(world, milestones, templateOf);
  const { status, body } = await world.service.call('POST', path, { body: { templateId } });
  expect([status, body.message]).toEqual([200, undefined]);
  return { ...feature, plan: body as { id: string; milestones: readonly ShownMilestone[] }, path, templateId };
}
