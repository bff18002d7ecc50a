import { isDeepStrictEqual } from 'node:util';
import { type Address, get } from '../../harness/http-call.ts';
import { asked } from './kinds.ts';

type Shown = Readonly<Record<string, unknown>>;

/** A list that the admin UI asks for, and what people see of it. */
interface ConsoleList {
  readonly path: string;
  readonly seen: (body: Shown) => unknown;
}

const things = (value: unknown): Shown[] => (Array.isArray(value) ? value : []);
const pick = (thing: Shown, ...names: readonly string[]) => names.map((name) => thing[name] || null);
const sorted = (texts: readonly unknown[]) => texts.map((each) => JSON.stringify(each)).toSorted();

const aboutFlag = (flag: Shown) => [
  ...pick(flag, 'name', 'project', 'type', 'description', 'createdAt', 'stale', 'favorite', 'impressionData'),
  (flag.lifecycle as Shown | undefined)?.stage,
  (flag.createdBy as Shown | undefined)?.name,
];
/** A row without tags, of which Unleash shows only those that were searched for. */
const flagRow = (flag: Shown) => [
  ...aboutFlag(flag),
  sorted(things(flag.segments)),
  things(flag.environments).flatMap((each) =>
    each.enabled === true || each.hasStrategies === true ? [pick(each, 'name', 'enabled', 'variantCount')] : [],
  ),
];
const flagRows = ({ features, total }: Shown) => ({ total, rows: things(features).map(flagRow) });
const search = (query: string): ConsoleList => ({
  path: `search/features?offset=0&limit=25&favoritesFirst=true&${query}`,
  seen: flagRows,
});

const wholeService = (tagType: string): ConsoleList[] => [
  search('sortBy=name&sortOrder=asc'),
  search('sortBy=createdAt&sortOrder=asc&archived=IS:true'),
  search('sortBy=name&sortOrder=desc&lifecycle=IS:initial'),
  search('sortBy=name&sortOrder=asc&query=flag-001'),
  search('sortBy=name&sortOrder=asc&tag=INCLUDE:simple:team-0'),
  search('sortBy=name&sortOrder=asc&segment=INCLUDE:segment-1'),
  search('sortBy=name&sortOrder=asc&state=IS:stale&type=IS:release'),
  {
    path: 'lifecycle/count',
    // Unleash counts a completed flag that is used again among the live ones, and shows it as completed.
    seen: ({ live, completed, ...counts }) => [counts, Number(live) + Number(completed)],
  },
  { path: `tags/${tagType}`, seen: ({ tags }) => sorted(things(tags).map((tag) => pick(tag, 'type', 'value'))) },
  {
    path: 'segments',
    seen: ({ segments }) =>
      things(segments).map((each) => pick(each, 'id', 'name', 'usedInFeatures', 'usedInProjects')),
  },
];

const ofProject = (id: string): ConsoleList[] => [
  search(`sortBy=name&sortOrder=desc&project=IS:${id}`),
  search(`sortBy=name&sortOrder=asc&project=IS:${id}&archived=IS:true`),
  {
    path: `projects/${id}/overview`,
    seen: (overview) => [
      ...pick(overview, 'name', 'description', 'mode', 'defaultStickiness', 'featureLimit', 'archivedAt', 'favorite'),
      ...pick(overview, 'featureNaming', 'linkTemplates'),
      sorted(things(overview.featureTypeCounts).map((each) => pick(each, 'type', 'count'))),
    ],
  },
  {
    path: `environments/project/${id}`,
    seen: ({ environments }) =>
      things(environments)
        .filter(({ visible }) => visible !== false)
        // Unleash counts archived flags among those that are on.
        .map((each) => pick(each, 'name', 'type', 'projectApiTokenCount', 'defaultStrategy')),
  },
  {
    path: `projects/${id}/api-tokens`,
    seen: ({ tokens }) =>
      sorted(things(tokens).map((each) => pick(each, 'tokenName', 'type', 'environment', 'createdAt', 'expiresAt'))),
  },
  { path: `projects/${id}/context`, seen: (fields) => sorted(things(fields).map((each) => pick(each, 'name'))) },
  { path: `projects/${id}/flag-creators`, seen: (people) => things(people).map((each) => pick(each, 'name')) },
];

const ofFlag = (project: string, name: string): ConsoleList[] => [
  {
    path: `projects/${project}/features/${name}?variantEnvironments=true`,
    seen: (flag) => [
      ...aboutFlag(flag),
      ...pick(flag, 'dependencies', 'children'),
      things(flag.links).map((link) => pick(link, 'id', 'url', 'title')),
      things(flag.environments).map((each) => [
        ...pick(each, 'name', 'enabled', 'variants'),
        things(each.strategies).map((strategy) =>
          pick(strategy, 'id', 'name', 'title', 'disabled', 'constraints', 'parameters', 'segments', 'variants'),
        ),
      ]),
    ],
  },
  { path: `features/${name}/tags`, seen: ({ tags }) => sorted(things(tags).map((tag) => pick(tag, 'type', 'value'))) },
  { path: `projects/${project}/features/${name}/parent-variants`, seen: (names) => names },
];

const shownMax = 200;

/** Compares the lists that sessions of the admin UI ask for, as people see them on two servers: their rows and their order. */
export async function compareConsoleLists(
  source: Address,
  target: Address,
): Promise<{ readonly compared: number; readonly unlike: readonly string[] }> {
  const { projects } = (await asked(source, get('/api/admin/projects'))) as { projects: { id: string }[] };
  const { features } = (await asked(source, get('/api/admin/search/features?limit=50&sortBy=name'))) as {
    features: { name: string; project: string }[];
  };
  const lists = [
    ...wholeService('simple'),
    ...projects.slice(0, 5).flatMap(({ id }) => ofProject(id)),
    ...features.flatMap(({ name, project }) => ofFlag(project, name)),
  ];
  const unlike: string[] = [];
  for (const { path, seen } of lists) {
    const [there, here] = await Promise.all([source, target].map((server) => asked(server, get(`/api/admin/${path}`))));
    const [theirs, ours] = [there, here].map((body) => JSON.parse(JSON.stringify(seen(body as Shown))));
    if (!isDeepStrictEqual(theirs, ours)) unlike.push(`the console's list ${path}: ${difference(theirs, ours)}`);
  }
  return { compared: lists.length, unlike };
}

/** Describes the first difference of two values. */
function difference(there: unknown, here: unknown, path = ''): string {
  if (Object(there) === there && Object(here) === here) {
    for (const key of new Set([...Object.keys(there as Shown), ...Object.keys(here as Shown)])) {
      const [one, other] = [(there as Shown)[key], (here as Shown)[key]];
      if (!isDeepStrictEqual(one, other)) return difference(one, other, `${path}.${key}`);
    }
  }
  const text = (value: unknown) => String(JSON.stringify(value)).slice(0, shownMax);
  return `at ${path} there ${text(there)}, here ${text(here)}`;
}
