import { isDeepStrictEqual } from 'node:util';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { type DeliveredNow, readDelivered } from '../../harness/delivered.ts';
import { randomFrom } from '../../harness/random.ts';
import { secondsSince } from '../options.ts';
import { openService, type ProvedService, unhurriedMs } from '../service.ts';
import { Dice, flagNames, takeStep, travelEnvironments, travelProjects } from './steps.ts';

/** A moment, and all that SDKs got then, by environment. */
interface KeptMoment {
  readonly time: string;
  readonly delivered: ReadonlyMap<string, DeliveredNow>;
}

interface TravelOptions {
  readonly seed: number;
  readonly moments: number;
  readonly reverts: number;
}

/** Steps that are taken at the same time. */
const writers = 4;
const brokenMax = 10;

const seedFile = readSeed({
  projects: [{ id: 'shop', environments: [...travelEnvironments] }],
  segments: [1, 2, 3, 4].map((id) => ({ id, name: `segment-${id}` })),
});

/** Moments that are compared together: going back takes as long as there are changes since then. */
const batchSize = 50;
/** Moments that are compared again at the end, as far back as they are by then. */
const againMax = 60;

/** Proves that every moment can be rebuilt and restored; returns the broken promises. */
export async function proveTravel({ seed, moments, reverts }: TravelOptions): Promise<string[]> {
  const service = await openService(seedFile, unhurriedMs);
  const dice = new Dice(randomFrom(seed));
  const start = performance.now();
  const kept: KeptMoment[] = [];
  const broken: string[] = [];
  const templates = await prepare(service, dice);
  while (kept.length < moments && broken.length < brokenMax) {
    const batch = await keepMoments(service, dice, templates, Math.min(batchSize, moments - kept.length));
    broken.push(...(await compareMoments(service, batch, dice)));
    kept.push(...batch);
  }
  broken.push(...(await compareMoments(service, dice.some(kept, againMax), dice)));
  console.log(`${kept.length} moments compared, ${broken.length} features were wrong; ${secondsSince(start)}.`);
  return broken.length > 0 ? broken : revertAtRandom(service, kept, dice, reverts);
}

/** Creates templates of release plans and the features; returns the ids of the templates. */
async function prepare(service: ProvedService, dice: Dice): Promise<string[]> {
  const templates = await makeTemplates(service);
  for (const name of flagNames)
    await service.call('POST', `/api/admin/projects/${dice.pick(travelProjects)}/features`, { body: { name } });
  return templates;
}

async function keepMoments(
  service: ProvedService,
  dice: Dice,
  templates: readonly string[],
  count: number,
): Promise<KeptMoment[]> {
  const kept: KeptMoment[] = [];
  while (kept.length < count) {
    await Promise.all(Array.from({ length: writers }, () => takeStep(service, dice, templates)));
    kept.push({ time: await nextMillisecond(), delivered: await readAll(service) });
  }
  return kept;
}

async function makeTemplates(service: ProvedService): Promise<string[]> {
  const share = (rollout: string) => ({ name: 'flexibleRollout', sortOrder: 0, parameters: { rollout } });
  const made = ['Slow', 'Fast'].map(async (name) => {
    const milestones = ['10', '50', '100'].map((percent) => ({ name: percent, strategies: [share(percent)] }));
    const { body } = await service.call('POST', '/api/admin/release-plan-templates', { body: { name, milestones } });
    return body.id as string;
  });
  return Promise.all(made);
}

async function readAll({ table }: ProvedService): Promise<KeptMoment['delivered']> {
  const delivered = new Map<string, DeliveredNow>();
  for (const environment of travelEnvironments) delivered.set(environment, await readDelivered(table, environment));
  return delivered;
}

/** Returns the present time, once it has passed, so that nothing else happens in its millisecond. */
async function nextMillisecond(): Promise<string> {
  const now = Date.now();
  while (Date.now() === now) await new Promise(setImmediate);
  return new Date(now).toISOString();
}

/** A feature at a moment, as the API shows it. */
interface ShownThen {
  readonly name: string;
  readonly exact: boolean;
  readonly doubts: readonly string[];
  readonly state: {
    readonly archived: boolean;
    readonly environments: readonly { readonly name: string; readonly delivered: unknown }[];
    readonly segments: readonly { readonly id: number }[];
  } | null;
}

async function compareMoments(service: ProvedService, kept: readonly KeptMoment[], dice: Dice): Promise<string[]> {
  const broken: string[] = [];
  for (const moment of kept) {
    const rebuilt: ShownThen[] = [];
    for (const project of travelProjects) rebuilt.push(...(await readProject(service, project, moment.time)));
    broken.push(...compare(moment, rebuilt));
    broken.push(...compare(moment, [await readOne(service, dice.pick(rebuilt), moment)], true));
    if (broken.length >= brokenMax) break;
  }
  return broken;
}

async function readProject(service: ProvedService, project: string, time: string): Promise<ShownThen[]> {
  const features: ShownThen[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const after: string = next === '' ? '' : `&after=${next}`;
    const { status, body } = await service.call('GET', `/api/admin/projects/${project}/then?at=${time}${after}`);
    if (status !== 200) throw new Error(`${project} at ${time}: ${status} ${body.message}`);
    features.push(...body.features);
    next = body.next;
  }
  return features;
}

/** Reads a feature by itself, in the project in which it was. */
async function readOne(
  service: ProvedService,
  shown: ShownThen | undefined,
  { time, delivered }: KeptMoment,
): Promise<ShownThen> {
  const name = shown?.name ?? flagNames[0];
  const project = [...delivered.values()][0]?.features.get(name ?? '')?.project;
  const { body } = await service.call('GET', `/api/admin/projects/${project}/features/${name}/then?at=${time}`);
  return body;
}

/** @param isPart true if only some of the features are compared. */
function compare({ time, delivered }: KeptMoment, rebuilt: readonly ShownThen[], isPart = false): string[] {
  const byName = new Map(rebuilt.map((feature) => [feature.name, feature]));
  return [...delivered].flatMap(([environment, { features, segments }]) => {
    const names = isPart ? byName.keys() : new Set([...features.keys(), ...byName.keys()]);
    return [...names].flatMap((name) => {
      const then = byName.get(name);
      const got = features.get(name);
      const place = `${name} in ${environment} at ${time}`;
      if (then !== undefined && !then.exact) return [`${place} is doubtful: ${then.doubts.join(' ')}`];
      const shown = then?.state?.environments.find((each) => each.name === environment)?.delivered;
      if (!isDeepStrictEqual(shown, got))
        return [`${place} was\n  ${JSON.stringify(got)}, not\n  ${JSON.stringify(shown)}`];
      const used = new Set(got?.strategies.flatMap(({ segments: ids = [] }) => ids));
      return [...used].flatMap((id) => {
        const segment = then?.state?.segments.find((each) => each.id === id);
        return isDeepStrictEqual(segment, segments.get(id)) ? [] : [`The segment ${id} of ${place} was another.`];
      });
    });
  });
}

async function revertAtRandom(
  service: ProvedService,
  kept: readonly KeptMoment[],
  dice: Dice,
  count: number,
): Promise<string[]> {
  const broken: string[] = [];
  const refusals = new Map<string, number>();
  let restored = 0;
  for (let round = 0; round < count && broken.length < brokenMax; round += 1) {
    const moment = dice.pick(kept);
    const now = await readAll(service);
    const live = [...(now.get('development')?.features.values() ?? [])];
    const { name, project } = dice.pick(live) ?? {};
    if (name === undefined || live.length < flagNames.length / 2) {
      const missing = flagNames.find((each) => !live.some((feature) => feature.name === each));
      await service.call('POST', `/api/admin/archive/revive/${missing}`);
      await service.call('POST', '/api/admin/projects/default/features', { body: { name: missing } });
      continue;
    }
    const path = `/api/admin/projects/${project}/features/${name}/revert`;
    const { status, body } = await service.call('POST', path, { body: { to: moment.time } });
    const after = await readAll(service);
    const place = `${name} to ${moment.time}`;
    if (status === 200) {
      restored += 1;
      broken.push(...compareRestored(place, name, moment, after));
    } else {
      if (status !== 409) broken.push(`${place} is refused with ${status}: ${body.message}`);
      const kind = String(body.message)
        .replaceAll(/"[^"]*"|\d+/g, '…')
        .slice(0, 160);
      refusals.set(kind, (refusals.get(kind) ?? 0) + 1);
      if (!isDeepStrictEqual(featuresIn(after), featuresIn(now)))
        broken.push(`${place} is refused, but changed something.`);
    }
  }
  console.log(`${count} reverts: ${restored} restored.`);
  for (const [kind, times] of [...refusals].toSorted(([, a], [, b]) => b - a))
    console.log(`  ${times} refused: ${kind}`);
  if (restored < count / 4) broken.push('Too little was restored for this to say much.');
  return broken;
}

function featuresIn(delivered: KeptMoment['delivered']) {
  return [...delivered].map(([environment, { features }]) => [environment, [...features]]);
}

/** Compares a restored feature with the kept one. It stays in its project. */
function compareRestored(
  place: string,
  name: string,
  { delivered }: KeptMoment,
  after: KeptMoment['delivered'],
): string[] {
  return travelEnvironments.flatMap((environment) => {
    const { project: _then, ...wanted } = { ...delivered.get(environment)?.features.get(name) };
    const { project: _now, ...restored } = { ...after.get(environment)?.features.get(name) };
    return isDeepStrictEqual(wanted, restored)
      ? []
      : [`${place} in ${environment} became\n  ${JSON.stringify(restored)}, not\n  ${JSON.stringify(wanted)}`];
  });
}
