import fc from 'fast-check';
import { assertApproved } from '../../../lib/change-requests/apply.ts';
import {
  approvalsOf,
  buildChange,
  type ChangeRequest,
  contentHashOf,
  type RequestedChange,
  withState,
} from '../../../lib/change-requests/change-request.ts';
import type { RequestState, StateInput } from '../../../lib/change-requests/change-request-schema.ts';
import { findDrift } from '../../../lib/change-requests/plan/differences.ts';
import { assertEditable, withChanges } from '../../../lib/change-requests/revise.ts';
import { lacksApproval, type Rules } from '../../../lib/change-requests/rules.ts';
import { assertStateIn, decideTransition } from '../../../lib/change-requests/transitions.ts';
import { ApiError } from '../../../lib/errors.ts';
import { buildCaller, mergeRights, requirePermission } from '../../../lib/identity/caller.ts';
import type { Project } from '../../../lib/projects/projects.ts';

const [project, environment, feature] = ['shop', 'production', 'checkout'] as const;

/** Something that somebody does: they decide by what they saw `late` steps before it counts. */
interface Step {
  readonly does: 'add' | 'edit' | 'discard' | 'configure' | 'directly' | Exclude<RequestState, 'Draft'>;
  /** The author, or one of two reviewers. */
  readonly who: 0 | 1 | 2;
  readonly late: number;
  readonly value: boolean;
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  does: fc.oneof(
    ...(['add', 'edit', 'discard', 'Rejected', 'Cancelled', 'Scheduled', 'configure', 'directly'] as const).map(
      (does) => ({ arbitrary: fc.constant(does), weight: 1 }),
    ),
    ...(['In review', 'Applied'] as const).map((does) => ({ arbitrary: fc.constant(does), weight: 3 })),
    { arbitrary: fc.constant('Approved' as const), weight: 6 },
  ),
  who: fc.constantFrom(0, 1, 2),
  late: fc.nat(3),
  value: fc.boolean(),
});

export const anySteps = fc.array(anyStep, { minLength: 6, maxLength: 24 });

const people = ['author', 'ada', 'bob'].map((name, index) => {
  const permissions = (['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'] as const).map((each) => ({
    name: each,
    environment,
  }));
  const rights = mergeRights([{ project, permissions, conditions: [] }]);
  const caller = buildCaller({ actor: { id: index + 1, name }, rights, sources: [] }, {});
  return requirePermission(caller, ['APPROVE_CHANGE_REQUEST'], project, environment);
});

/** An approval as an onlooker remembers it: who, and what there was to see when they decided. */
interface Remembered {
  readonly by: number;
  readonly content: string;
}

const at = '2026-01-01T00:00:00.000Z';
const contentOf = ({ changes }: ChangeRequest) =>
  JSON.stringify(changes.map(({ action, payload }) => [action, payload]));

/** Goes through the steps; returns what is wrong with what comes of them. */
export function flawsOf(steps: readonly Step[]): { readonly flaws: readonly string[]; readonly isApplied: boolean } {
  let request = buildDraft();
  let rules: Rules = {
    required: 1,
    onDrift: 'refuse',
    selfApproval: 'never',
    overrideDelay: 0,
    project: { id: project } as Project,
  };
  let isOn = false;
  let applications = 0;
  const seen: ChangeRequest[] = [];
  const remembered: Remembered[] = [];
  const flaws: string[] = [];
  for (const { does, who, late, value } of steps) {
    seen.push(request);
    const saw = seen[Math.max(0, seen.length - 1 - late)] as ChangeRequest;
    const caller = people[who] as (typeof people)[number];
    const edited = (changes: readonly RequestedChange[]) => {
      assertEditable(request, caller, rules);
      return withChanges(request, changes, caller, at);
    };
    const wanted = (number: number) => {
      const input = { feature, action: 'updateEnabled' as const, payload: { enabled: value } };
      return buildChange(input, number, { enabled: isOn }, caller, at);
    };
    try {
      if (does === 'configure') rules = { ...rules, required: value ? 2 : 1 };
      else if (does === 'directly') isOn = value;
      else if (does === 'add') request = edited([...request.changes, wanted(request.lastId + 1)]);
      else if (does === 'edit') request = edited([...request.changes.slice(1), wanted(request.lastId + 1)]);
      else if (does === 'discard') request = edited(request.changes.slice(0, Math.max(1, request.changes.length - 1)));
      else if (does === 'Applied') {
        assertStateIn(request, does, ['Approved', 'Scheduled']);
        assertApproved(request, rules);
        if (request.changes.some((change) => findDrift(change, { enabled: isOn }).length > 0)) continue;
        flaws.push(...flawsOfApplication(request, rules, remembered));
        applications += 1;
        request = withState(request, does, at);
      } else {
        const input = { state: does, scheduledAt: '2026-06-01T00:00:00.000Z' } as StateInput;
        const asked = { before: request, input, caller, rules, at, expectedHash: saw.contentHash };
        request = decideTransition(does as Exclude<RequestState, 'Applied'>, asked).after;
        if (does === 'Approved') remembered.push({ by: caller.id, content: contentOf(saw) });
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    if (request.state === 'Approved' && approvalsOf(request).length === 0) flaws.push('It is approved by nobody.');
  }
  const last = people.slice(1).reduce((before, caller) => {
    try {
      return decideTransition('Approved', { before, input: { state: 'Approved' }, caller, rules, at }).after;
    } catch {
      return before;
    }
  }, request);
  const isOpen = ['In review', 'Approved', 'Scheduled'].includes(last.state);
  if (isOpen && lacksApproval(last, rules)) flaws.push(`It is ${last.state}, and two who may approve it cannot.`);
  if (applications > 1) flaws.push(`It is applied ${applications} times.`);
  return { flaws, isApplied: applications > 0 };
}

function flawsOfApplication(request: ChangeRequest, { required }: Rules, remembered: readonly Remembered[]): string[] {
  const content = contentOf(request);
  const approvers = new Set(remembered.filter((each) => each.content === content).map(({ by }) => by));
  const isOwn = approvers.has(request.createdBy.id);
  return [
    ...(approvers.size < required ? [`It is applied with ${approvers.size} of ${required} approvals.`] : []),
    ...(isOwn ? ['Its author has approved it.'] : []),
  ];
}

function buildDraft(): ChangeRequest {
  const [author] = people;
  const createdBy = { id: author?.id ?? 0, name: author?.name ?? '' };
  const empty: ChangeRequest = {
    ...{ id: 1, project, environment, createdBy, createdAt: at, state: 'Draft', minApprovals: 1 },
    ...{ changes: [], lastId: 0 },
    ...{ contributors: [], approvals: [], rejections: [], comments: [], reviewers: [], stateTimestamps: {} },
    contentHash: contentHashOf(environment, []),
  };
  const input = { feature, action: 'updateEnabled' as const, payload: { enabled: true } };
  return withChanges(empty, [buildChange(input, 1, { enabled: false }, createdBy, at)], createdBy, at);
}
