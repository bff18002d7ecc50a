import type { Request } from '../request.ts';
import { keyText } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import { BoundedMap, cachePerObject } from '../values/cache.ts';
import { isoWeekOf } from '../values/iso-week.ts';
import { sha256 } from '../values/sha256.ts';
import { computeExpiry } from '../values/time.ts';
import * as usageKeys from './keys.ts';
import type { ReportedUsage } from './reported-usage.ts';
import type { UsageBuffer } from './usage-buffer.ts';

/** The time for which the counts of a week are kept until somebody asks for trends: a year and a month. */
const keptSeconds = 400 * 24 * 60 * 60;
/** The time after which a process records the use of a flag by an application again, in case the first write was lost. */
const againMs = 24 * 60 * 60 * 1_000;
/** The most names of each kind that a process adds to a week of a project. They bound the size of the item. */
const namesMax = 1_000;

/** The kinds of names in an item, by the prefix of their attributes. */
const kinds = { apps: 'a:', environments: 'e:', flags: 'f:' } as const;

/** The names by week, project and kind that a process has added. */
const namesOf = cachePerObject((_: UsageBuffer) => new BoundedMap<string, Set<string>>(1_000));

/** Counts a report about a flag for its project in the week of the reported hour. */
export function countInProjectWeek(
  buffer: UsageBuffer,
  project: string,
  { hour, yes, no }: ReportedUsage,
  now: Date,
): void {
  const expiresAtSeconds = computeExpiry(keptSeconds, now);
  buffer.count(usageKeys.projectWeek(weekNameOf(hour), project), { yes, no }, { expiresAtSeconds });
}

/** Records the names of a report: the application, the environment and the flag. */
export function recordNamesInProjectWeek(
  buffer: UsageBuffer,
  project: string,
  { hour, appName, featureName, environment }: ReportedUsage & { readonly environment: string },
  now: Date,
): void {
  const key = usageKeys.projectWeekUse(weekNameOf(hour), project);
  if (!buffer.isDue(`${keyText(key)}\n${environment}\n${featureName}\n${appName}`, { afterMs: againMs })) return;
  const names = { apps: appName, environments: environment, flags: featureName };
  const attributes = Object.entries(names).flatMap(([kind, name]) => {
    const id = sha256(name, 'base64url').slice(0, 8);
    const mapKey = `${keyText(key)}\n${kind}`;
    const known = namesOf(buffer).get(mapKey) ?? new Set<string>();
    if (!known.has(id) && known.size >= namesMax) return [];
    namesOf(buffer).set(mapKey, known.add(id));
    return [[`${kinds[kind as keyof typeof kinds]}${id}`, 1] as const];
  });
  buffer.set(key, { ...Object.fromEntries(attributes), expiresAtSeconds: computeExpiry(keptSeconds, now) });
}

/** The names of weeks by hour: a report is about all flags in the same hour. */
const weekNames = new BoundedMap<string, string>(100);

function weekNameOf(hour: string): string {
  const known = weekNames.get(hour);
  if (known !== undefined) return known;
  const { name } = isoWeekOf(Date.parse(`${hour}:00Z`));
  weekNames.set(hour, name);
  return name;
}

/** The evaluations of a project's flags in a week. */
export interface ProjectWeek {
  readonly yes: number;
  readonly no: number;
  readonly apps: number;
  readonly environments: number;
  readonly flags: number;
}

/** Loads the evaluations in a week, such as `2026-07`, by project. */
export async function loadProjectWeeks(request: Request, week: string): Promise<Map<string, ProjectWeek>> {
  const items = await queryAll<Readonly<Record<string, unknown>> & { readonly sk: string }>(
    request,
    usageKeys.projectsInWeek(week),
  );
  const weeks = new Map<string, ProjectWeek>();
  for (const { sk, yes = 0, no = 0, ...names } of items) {
    const project = sk.slice(sk.indexOf('#') + 1);
    const before = weeks.get(project) ?? { yes: 0, no: 0, apps: 0, environments: 0, flags: 0 };
    const countOf = (prefix: string) => Object.keys(names).filter((name) => name.startsWith(prefix)).length;
    weeks.set(project, {
      yes: before.yes + Number(yes),
      no: before.no + Number(no),
      apps: before.apps + countOf(kinds.apps),
      environments: before.environments + countOf(kinds.environments),
      flags: before.flags + countOf(kinds.flags),
    });
  }
  return weeks;
}
