import fc from 'fast-check';
import { applyDue } from '../../../lib/change-requests/schedules/schedule.ts';
import { systemUser } from '../../../lib/events/actor.ts';
import { configureChangeRequests } from '../../../lib/projects/change-request-config.ts';
import { createChangeRequest, createProtectedProject, inAMonth } from '../../harness/change-requests.ts';
import type { World } from '../../harness/world.ts';

const kinds = [
  ...(['add', 'edit', 'discard', 'send', 'approve', 'approve too', 'reject', 'cancel'] as const),
  ...(['apply', 'schedule', 'let the clock apply', 'directly'] as const),
];

/** Requests that are sent at the same time, to a change request in a state that needs so many approvals since. */
export interface ApprovalRound {
  readonly state: 'Draft' | 'In review' | 'Approved';
  readonly required: 1 | 2;
  readonly sent: readonly (typeof kinds)[number][];
}

export const anyRound: fc.Arbitrary<ApprovalRound> = fc.record({
  state: fc.constantFrom('In review', 'Approved', 'Draft'),
  required: fc.constantFrom(1, 2),
  sent: fc.array(
    fc.oneof(...kinds.map((kind) => ({ arbitrary: fc.constant(kind), weight: /^app|schedule/.test(kind) ? 6 : 1 })), {
      arbitrary: fc.constant('apply' as const),
      weight: 4,
    }),
    { minLength: 4, maxLength: 12 },
  ),
});

/** Answers that other requests may bring about. */
const expected = new Set([200, 201, 204, 400, 403, 404, 409]);

interface Told {
  readonly id: number;
  readonly type: string;
  readonly createdBy: string;
}

/** Sends the requests of a round; returns what is wrong with the events and the content afterwards. */
export async function flawsOfRound(
  world: World,
  { state, required, sent }: ApprovalRound,
  disturbed: () => Disposable,
): Promise<{ readonly flaws: readonly string[]; readonly state: string }> {
  const { projectId, environment, role } = await createProtectedProject(world);
  const project = `/api/admin/projects/${projectId}`;
  const place = { projectId, environment };
  const require = (requiredApprovals: number) =>
    configureChangeRequests(world.service.table, systemUser, place, { changeRequestsEnabled: true, requiredApprovals });
  await require(1);
  const { id, author, reviewer, featureName: feature, changes } = await createChangeRequest(world, state);
  await require(required);
  const other = await world.tokenOfRole(3, [{ project: projectId, roles: [role] }]);
  const request = `${project}/change-requests/${id}`;
  const call = (authorization: string | undefined, method: string, target: string, body?: unknown) =>
    world.service.call(method, target, { headers: authorization === undefined ? {} : { authorization }, body });
  const bring = (token: string, wanted: string, more: object = {}) =>
    call(token, 'PUT', `${request}/state`, { state: wanted, ...more });
  const scheduledAt = inAMonth();
  const strategy = (title: string) => ({ feature, action: 'addStrategy', payload: { name: 'default', title } });
  const strategies = `${project}/features/${feature}/environments/${environment}/strategies`;
  const sendings: Readonly<Record<(typeof kinds)[number], (number: number) => ReturnType<typeof call>>> = {
    add: (number) =>
      call(author, 'POST', `${project}/environments/${environment}/change-requests`, strategy(`asked ${number}`)),
    edit: (number) => call(author, 'PUT', `${request}/changes/${changes[0]}`, strategy(`asked ${number}`)),
    discard: () => call(author, 'DELETE', `${request}/changes/${changes[1]}`),
    send: () => bring(author, 'In review'),
    approve: () => bring(reviewer, 'Approved'),
    'approve too': () => bring(other, 'Approved'),
    reject: () => bring(other, 'Rejected'),
    cancel: () => bring(author, 'Cancelled'),
    apply: () => bring(reviewer, 'Applied'),
    schedule: () => bring(reviewer, 'Scheduled', { scheduledAt }),
    'let the clock apply': async () => {
      await applyDue(world.service.table, new Date(scheduledAt));
      return call(author, 'GET', request);
    },
    directly: (number) => call(undefined, 'POST', strategies, { name: 'default', title: `directly ${number}` }),
  };
  const answers = await (async () => {
    using _disturbed = disturbed();
    return Promise.all(sent.map((kind, number) => sendings[kind](number)));
  })();

  const flaws = answers.flatMap(({ status, text }, index) =>
    expected.has(status) ? [] : [`${sent[index]} was answered ${status}: ${text}`],
  );
  const { events } = (await world.ask('GET', `/api/admin/search/events?groupId=IS:change-request-${id}&limit=1000`))
    .body;
  const told = (events as Told[]).toSorted((a, b) => a.id - b.id);
  flaws.push(...flawsOfStory(told, required));
  const { body } = await call(author, 'GET', request);
  const isApplied = body.state === 'Applied';
  const asked: string[] = body.features
    .flatMap((each: { changes: { action: string; payload?: { title?: string } }[] }) => each.changes)
    .filter(({ action }: { action: string }) => action === 'addStrategy')
    .map(({ payload }: { payload: { title?: string } }) => payload.title ?? '');
  const direct = answers.flatMap(({ status }, number) =>
    sent[number] === 'directly' && status < 300 ? [`directly ${number}`] : [],
  );
  const there = (await world.ask('GET', strategies)).body.map(({ title }: { title: string | null }) => title ?? '');
  const wanted = [...(isApplied ? asked : []), ...direct].toSorted();
  if (JSON.stringify(there.toSorted()) !== JSON.stringify(wanted))
    flaws.push(`The feature has the strategies ${JSON.stringify(there)} rather than ${JSON.stringify(wanted)}.`);
  const added = told.filter(({ type }) => type === 'feature-strategy-add').length;
  if (added !== (isApplied ? asked.length : 0)) flaws.push(`${added} events tell of ${asked.length} strategies.`);
  return { flaws, state: body.state };
}

/** Reads the events of a request in their order, as one who believes nothing else. */
export function flawsOfStory(told: readonly Told[], required: number): string[] {
  const author = told[0]?.createdBy;
  const approvers = new Set<string>();
  const flaws: string[] = [];
  let end: string | undefined;
  for (const { type, createdBy } of told) {
    const isOfRequest = type.startsWith('change-') && type !== 'change-request-scheduled-application-success';
    if (isOfRequest && end !== undefined) flaws.push(`After ${end} comes ${type}.`);
    if (/^change-(added|edited|discarded)$/.test(type)) approvers.clear();
    if (type === 'change-request-approval-added') {
      if (createdBy === author) flaws.push('Its author has approved it.');
      approvers.add(createdBy);
    }
    if (type === 'change-request-applied' && approvers.size < required)
      flaws.push(`It is applied with ${approvers.size} of ${required} approvals.`);
    if (/^change-request-(applied|rejected|cancelled|discarded)$/.test(type)) end = type;
  }
  return flaws;
}
