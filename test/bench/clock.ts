import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from '../../infra/commands/command.ts';
import { clockWork } from '../../lib/clock/clock.ts';
import { endlessTime } from '../../lib/values/time-budget.ts';
import { interceptRequests } from '../harness/intercept.ts';
import { makeTemplate } from '../harness/release-plans.ts';
import { type MadeFeature, World } from '../harness/world.ts';
import { openMemoryStore, openService } from '../prove/service.ts';

const help = `Shows how much work of the clock fits into a second: guarded features, due milestones, and events to seal. Each request to
the store takes 5 ms longer, as with DynamoDB. One call of the clock has some 40 seconds, which the kinds of work share.

  npm run bench:clock -- [OPTIONS]

  --features COUNT   guarded features and due milestones (500)
  -h, --help         this text`;

const options = { features: { type: 'string', default: '500' } } as const;

const latencyMs = 5;
const hourMs = 3_600_000;

/** The units of work by the kind of work. */
const units = { safeguards: 'guarded features', milestones: 'due milestones', seals: 'items of events' } as const;

/** The items of events of a feature: its creation, its safeguard, its plan and the milestone. */
const eventItems = 4;

await runCommand({
  name: 'bench:clock',
  help,
  options,
  run: async ({ values }) => {
    await using _store = await openMemoryStore();
    const world = new World(await openService());
    const features = await world.features(Number(values.features), { on: true });
    const templateId = await makeTemplate(world);
    for (const feature of features) await prepare(world, feature, templateId);
    console.log('Work of the clock per second, and its requests to the store:');
    for (const kind of ['safeguards', 'milestones', 'seals'] as const) {
      const count = kind === 'seals' ? features.length * eventItems : features.length;
      await measure(world, kind, count);
    }
  },
});

/** Gives a feature a safeguard and a plan. */
async function prepare(world: World, { place }: MadeFeature, templateId: string): Promise<void> {
  const { projectId, featureName, environment } = place;
  const path = `/api/admin/projects/${projectId}/features/${featureName}/environments/${environment}`;
  await world.ask('PUT', `${path}/safeguards`, {
    impactMetric: { metricName: 'errors', timeRange: 'hour', aggregationMode: 'count' },
    triggerCondition: { operator: '>', threshold: 10 },
  });
  await world.ask('POST', `${path}/release-plans`, { templateId });
}

async function measure({ service: { table } }: World, kind: keyof typeof units, count: number): Promise<void> {
  let requests = 0;
  using _ = interceptRequests(table, async (_call, next) => {
    requests += 1;
    await sleep(latencyMs);
    return next();
  });
  const start = performance.now();
  const processor = process.cpuUsage();
  await clockWork.find(({ name }) => name === kind)?.run(table, new Date(Date.now() + 2 * hourMs), endlessTime);
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(processor);
  const perSecond = `${Math.round(count / seconds)} ${units[kind]}`;
  const each = `${(requests / count).toFixed(2)} requests`;
  console.log(
    `  ${perSecond.padEnd(26)} ${each.padStart(16)} and ${((user + system) / 1_000 / count).toFixed(2)} ms of processor each`,
  );
}
