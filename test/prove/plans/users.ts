import { setTimeout as sleep } from 'node:timers/promises';
import client from 'unleash-client/lib/client.js';
import { defaultStrategies } from 'unleash-client/lib/strategy/index.js';
import { World } from '../../harness/world.ts';
import { openService, unhurriedMs } from '../service.ts';
import { shares } from './steps.ts';

/** The share of users may differ from that of the milestone by so many percent. */
const shareSlack = 1.5;

interface DeliveredFlag {
  readonly name: string;
  readonly strategies: readonly { readonly parameters: { readonly rollout?: string } }[];
}

/**
 * Starts one milestone of a flag after the other, and evaluates the flag for many users with the engine of Node's SDK. A user who has
 * the flag must keep it.
 * @returns what is wrong.
 */
export async function flawsOfRollout(users: number): Promise<string[]> {
  const service = await openService(undefined, unhurriedMs);
  const world = new World(service);
  // Its own strategy is for nobody.
  const strategies = [{ name: 'userWithId', parameters: { userIds: 'nobody' } }];
  const { place, name } = await world.feature({ on: true, strategies });
  const here = `/api/admin/projects/${place.projectId}/features/${name}/environments/${place.environment}`;
  const milestones = shares.map((share) => ({
    name: `${share} %`,
    strategies: [{ name: 'flexibleRollout', parameters: { rollout: String(share), groupId: '{{featureName}}' } }],
  }));
  const template = await world.ask('POST', '/api/admin/release-plan-templates', { name: 'Wider', milestones });
  const { body: plan } = await world.ask('POST', `${here}/release-plans`, { templateId: template.body.id });
  const authorization = await world.clientToken();

  /** Reads the flag as SDKs get it, once it has come to them. */
  async function readFlag(share: number): Promise<DeliveredFlag> {
    for (;;) {
      const { body } = await service.call('GET', '/api/client/features', { headers: { authorization } });
      const flag = body.features.find((feature: DeliveredFlag) => feature.name === name);
      if (flag?.strategies[0]?.parameters.rollout === String(share)) return flag;
      await sleep(50);
    }
  }

  const flaws: string[] = [];
  let before = new Set<string>();
  for (const [index, share] of shares.entries()) {
    const { id } = plan.milestones[index];
    await world.ask('POST', `${here}/release-plans/${plan.id}/milestones/${id}/start`);
    const flag = await readFlag(share);
    const repository = { getToggle: () => flag, getSegment: () => undefined };
    // The engine uses these two methods of a repository.
    const engine = new client.default(repository as never, defaultStrategies);
    const isOn = (userId: string) => engine.isEnabled(name, { userId }, () => false);
    const now = new Set(Array.from({ length: users }, (_, number) => `user-${number}`).filter(isOn));
    const left = before.difference(now).size;
    if (left > 0) flaws.push(`At ${share} %, ${left} users leave the flag.`);
    const found = (now.size / users) * 100;
    if (Math.abs(found - share) > shareSlack) flaws.push(`At ${share} %, ${found} % of users have the flag.`);
    before = now;
  }
  service.table.store.client.destroy();
  console.log(`${users} users while a flag goes to ${shares.join(', ')} %: ${flaws.length} things wrong.`);
  return flaws;
}
