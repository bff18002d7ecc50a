import { suspendSchedules } from '../../../lib/change-requests/schedules/suspension.ts';
import { startDueMilestones } from '../../../lib/release-plans/start-due-milestones.ts';
import type { Reply } from '../../harness/gateway.ts';
import { contentOf, type Item } from '../../harness/items.ts';
import { type Callable, World } from '../../harness/world.ts';
import { idsIn, type NamedKind, parsed } from '../../invariants/namings.ts';
import { problemsOf } from '../../invariants/problems.ts';
import type { Use } from './any-use.ts';

/** Stands for a number, in a body with its quotes. */
const placeholder = /"?\{(\w+) (\d)\}"?/g;

/** Answers that other requests may bring about. */
const expected = new Set([200, 201, 202, 204, 400, 404, 409]);

/** Makes the first content, and returns all that the store holds then. */
export async function prepareUses(service: Callable): Promise<readonly Item[]> {
  const world = new World(service);
  await world.project();
  await world.ask('POST', '/api/admin/environments', { name: 'lab', type: 'test' });
  await world.ask('POST', '/api/admin/projects/project-1/environments', { environment: 'lab' });
  await world.ask('POST', '/api/admin/strategies', { name: 'beta', parameters: [] });
  for (const name of ['team', 'area']) await world.ask('POST', '/api/admin/tag-types', { name });
  await world.features(2);
  for (let count = 0; count < 2; count += 1) await world.segment();
  const rootRole = await world.role({ type: 'root-custom' });
  const roles = [await world.role()];
  const { id: user } = await world.user();
  const { id: account } = await world.serviceAccount({ rootRole });
  const users = [{ user: { id: user } }, { user: { id: account } }];
  const group = await world.groupId({ users, rootRole });
  const access = { roles, users: [user, account], groups: [group] };
  await world.ask('POST', '/api/admin/projects/project-1/access', access);
  return contentOf(service.table);
}

/**
 * Sends requests at the same time, and examines the store afterwards.
 * @param before contents of the store.
 * @param isFaulty true if the store fails meanwhile, so that requests may be refused for now, or be cut off.
 * @param disturbed lets the store fail as long as it lasts.
 * @returns the problems, the answers, and the contents of the store.
 */
export async function runTogether(
  service: Callable,
  uses: readonly Use[],
  before: readonly Item[],
  isFaulty: boolean,
  disturbed: () => Disposable,
): Promise<{
  readonly problems: readonly string[];
  readonly statuses: readonly number[];
  readonly items: readonly Item[];
}> {
  const known = idsIn(before);
  const answers = await (async () => {
    using _disturbed = disturbed();
    return await Promise.all(uses.map((use) => sent(service, use, known)));
  })();
  const unexpected = answers.flatMap((answer, index) =>
    answer === undefined || expected.has(answer.status) || isForNow(answer, isFaulty)
      ? []
      : [`${uses[index]?.send} was answered ${answer.status}: ${answer.text}`],
  );
  const items = await contentOf(service.table);
  const problems = [...unexpected, ...problemsOf(items), ...addonProblems(items)];
  return { problems, statuses: answers.flatMap((answer) => answer?.status ?? []), items };
}

/**
 * Tells whether a refusal is temporary. On a busy machine the seconds in which others may be in the way are over after
 * a few attempts.
 */
function isForNow({ status, text }: Reply, isFaulty: boolean): boolean {
  return status === 503 && (isFaulty || text.includes('Too many writers'));
}

async function sent(service: Callable, { send, body, listed }: Use, known: ReturnType<typeof idsIn>) {
  if (send === 'CLOCK') return tickIn(service);
  const ids = listed === undefined ? {} : await idsListed(service, listed);
  if (ids === undefined) return undefined;
  const filled = (text: string) =>
    Object.entries(ids)
      .reduce((filling, [name, id]) => filling.replace(`{${name}}`, id), text)
      .replaceAll(placeholder, idOf);
  const idOf = (_text: string, kind: NamedKind, number: string) => {
    const all = [...known[kind]];
    return all[Number(number) % all.length] ?? '999';
  };
  const [method = '', path = ''] = filled(send).split(' ');
  return service.call(method, path, { body: body && JSON.parse(filled(JSON.stringify(body))) });
}

/** Lets the clock start what is due in two hours. */
async function tickIn({ table }: Callable): Promise<Reply> {
  const request = { ...table, effectsOf: suspendSchedules };
  const told = (status: number, text: string): Reply => ({ status, headers: {}, body: undefined, text });
  return startDueMilestones(request, new Date(Date.now() + 2 * 3_600_000)).then(
    () => told(204, ''),
    (error: Error) => told(503, error.message),
  );
}

/** Returns the ids in a list of strategies or of release plans by the names of their places; undefined if it is empty. */
async function idsListed(service: Callable, path: string): Promise<Readonly<Record<string, string>> | undefined> {
  const { status, body } = await service.call('GET', path);
  const [first] = status === 200 ? body : [];
  if (first === undefined || !path.endsWith('/release-plans')) return first && { strategy: first.id };
  const [milestone, next] = first.milestones;
  return {
    ...{ plan: first.id, milestone: milestone.id, 'next milestone': next?.id ?? 'none' },
    strategy: milestone.strategies[0]?.id ?? 'none',
  };
}

/**
 * Lists addons that name no project or no environment any more, and so would send the events of all: here each is made
 * for some.
 */
function addonProblems(items: readonly Item[]): string[] {
  return items
    .filter(({ pk, projects, environments }) => {
      return pk === 'ADDONS' && (parsed(projects).length === 0 || parsed(environments).length === 0);
    })
    .map(({ pk, sk }) => `${pk} ${sk} was made for a project and an environment, and is for all.`);
}
