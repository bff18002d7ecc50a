import { change } from '../entity/change.ts';
import { invalid } from '../errors.ts';
import type { PermittedCaller } from '../identity/caller.ts';
import { assertRoom } from '../limits.ts';
import type { ProjectEnvironmentPath } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import { raiseCounter } from '../store/transactions/transact.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { ChangeInput, ChangesInput } from './change-input-schema.ts';
import {
  addDays,
  authorKey,
  buildChange,
  buildChangeEvent,
  buildRequestEvent,
  type ChangeRequest,
  contentHashOf,
  personOf,
  proposalExpiryDays,
} from './change-request.ts';
import { changesMax } from './change-request-schema.ts';
import {
  buildRequestCreation,
  buildRequestUpdate,
  findPending,
  loadChangeRequest,
  loadProposals,
} from './change-requests.ts';
import { withTexts } from './comments.ts';
import * as changeRequestKeys from './keys.ts';
import { addTemplate, loadRequestPlan } from './plan/load-plan.ts';
import { addApprovedDefaults, addBase, assertEditable, assertPossible, withChanges } from './revise.ts';
import { assertNeedsApproval, countRequiredApprovals, loadRules, type Rules } from './rules.ts';

/** The most open proposals of an agent, in all projects. */
const openProposalsMax = 20;

/** The most changes of a proposal of an agent: more are too many for a person to check. */
const proposedChangesMax = 50;

/**
 * Adds changes to the request that the input names. If it names none, adds those of a person to their pending request in the
 * environment, or to a new one, and those of an agent to a new one. Approvals of the request become invalid.
 * @param assertMayJoin throws if the changes must not be added to the pending request.
 * @throws ApiError 404 for an unknown project, environment, feature or segment; 403 for a caller who is not a member;
 * 400 if changes of a person need no approval there, for changes that cannot be made, or for too many changes or open proposals.
 */
export function addChanges(
  request: Request,
  caller: PermittedCaller,
  { projectId, environment }: ProjectEnvironmentPath,
  input: ChangesInput,
  assertMayJoin: (pending: ChangeRequest) => void = () => {},
): Promise<Versioned<ChangeRequest>> {
  const { changes: inputs, pathOf, title, reason, changeRequest: named } = readInput(input);
  const loadTarget = async () => {
    if (named !== undefined) return loadChangeRequest(request, caller, { projectId, id: named });
    // Each call of an agent makes a proposal of its own.
    return caller.agent === undefined ? findPending(request, caller, projectId, environment) : undefined;
  };
  return change(request, caller, {
    items: [
      named === undefined
        ? changeRequestKeys.pendingChangeRequest(projectId, environment, authorKey(caller))
        : changeRequestKeys.changeRequest(named),
    ],
    likelyEvents: inputs.length + 1,
    read: async () => {
      const [rules, pending, proposals] = await Promise.all([
        loadRules(request, projectId, environment),
        loadTarget(),
        caller.agent && named === undefined ? loadProposals(request, caller.agent) : undefined,
      ]);
      // Checked before `raiseCounter`, so that a refused request takes no id.
      if (pending?.value.createdBy.agent === undefined && caller.agent === undefined)
        assertNeedsApproval(rules, environment);
      const slot = proposals && takeSlot(proposals);
      const { changes = [], lastId = 0 } = pending?.value ?? {};
      const at = new Date().toISOString();
      const added = await Promise.all(
        inputs.map((changeInput, index) =>
          addTemplate(request, buildChange(changeInput, lastId + index + 1, undefined, caller, at)),
        ),
      );
      const [loaded, id] = await Promise.all([
        loadRequestPlan(request, { project: projectId, environment, changes: [...changes, ...added] }),
        pending?.value.id ?? raiseCounter(request, keys.counter('change-request'), 1),
      ]);
      return { rules, pending, added, loaded, id, slot };
    },
    revisionOf: ({ pending }) => pending,
    decide: ({ rules, pending, added: withoutBase, loaded, id, slot }, at) => {
      if (pending !== undefined) assertMayJoin(pending.value);
      const draft = pending?.value ?? buildDraft({ id, projectId, environment }, caller, rules, at, slot);
      if (draft.environment !== environment)
        throw invalid(`The change request "${id}" is for the environment "${draft.environment}".`, 'changeRequest');
      assertEditable(draft, caller, rules);
      const most = draft.createdBy.agent === undefined ? changesMax : proposedChangesMax;
      if (draft.changes.length + withoutBase.length > most)
        throw invalid(`A change request has at most ${most} changes.`);
      const before = withTexts(draft, { title, reason }, caller, at);
      const plan = assertPossible(request, loaded, withoutBase, pathOf, at);
      const added = withoutBase.map((addedChange) => addBase(addedChange, loaded));
      const edited = withChanges(before, addApprovedDefaults([...before.changes, ...added], plan, loaded), caller, at);
      const after = { ...edited, minApprovals: countRequiredApprovals(edited, rules) };
      const events = added.map((addedChange) => buildChangeEvent('change-added', after, addedChange));
      if (pending !== undefined) {
        return {
          ...buildRequestUpdate(pending, after, events),
          result: { value: after, version: pending.version + 1 },
        };
      }
      const { writes, version } = buildRequestCreation(after, at);
      return {
        // The transaction fails if the project or its rules have changed.
        writes: [rules.rightsCondition, ...writes],
        events: [buildRequestEvent('change-request-created', after), ...events],
        result: { value: after, version },
      };
    },
  });
}

/** The parts of an input in any of its forms. */
interface AddedChanges {
  readonly changes: readonly ChangeInput[];
  readonly title?: string;
  readonly reason?: string;
  readonly changeRequest?: number;
  /** Returns the path of a change in the input. */
  readonly pathOf: (index: number) => readonly (string | number)[];
}

function readInput(input: ChangesInput): AddedChanges {
  if (Array.isArray(input)) return { changes: input, pathOf: (index) => [index] };
  if ('changes' in input) return { ...input, pathOf: (index) => ['changes', index] };
  return { changes: [input], pathOf: () => [] };
}

/**
 * Returns the first free slot for an open proposal.
 * @throws ApiError 400 if there is none.
 */
function takeSlot(taken: ReadonlyMap<number, number>): number {
  assertRoom(taken.size, openProposalsMax, 'open proposals of one agent');
  let slot = 0;
  while (taken.has(slot)) slot += 1;
  return slot;
}

/**
 * Builds a draft without changes. That of an agent needs an approval everywhere, and is cancelled after some weeks.
 * @param slot the slot that the proposal of an agent takes.
 */
export function buildDraft(
  { id, projectId, environment }: ProjectEnvironmentPath & { readonly id: number },
  author: PermittedCaller,
  { required }: Rules,
  at: string,
  slot?: number,
): ChangeRequest {
  return {
    id,
    ...(slot !== undefined && { place: slot, expiresAt: addDays(at, proposalExpiryDays) }),
    project: projectId,
    environment,
    createdBy: personOf(author),
    createdAt: at,
    state: 'Draft',
    minApprovals: author.agent === undefined ? required : Math.max(1, required),
    changes: [],
    lastId: 0,
    contributors: [],
    contentHash: contentHashOf(environment, []),
    approvals: [],
    rejections: [],
    comments: [],
    reviewers: [],
    stateTimestamps: { Draft: at },
  };
}
