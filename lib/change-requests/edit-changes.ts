import { change } from '../entity/change.ts';
import { invalid, notFound } from '../errors.ts';
import { awaitInOrder } from '../helpers/await-in-order.ts';
import type { PermittedCaller } from '../identity/caller.ts';
import { loadProject } from '../projects/projects.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { ChangeInput } from './change-input-schema.ts';
import {
  buildChange,
  buildChangeEvent,
  buildRequestEvent,
  type ChangeRequest,
  isSwitchingOn,
  type RequestedChange,
} from './change-request.ts';
import type { ChangePath, RequestPath } from './change-request-schema.ts';
import { buildRequestRemoval, buildRequestUpdate, loadChangeRequest } from './change-requests.ts';
import * as changeRequestKeys from './keys.ts';
import { addTemplate, loadRequestPlan } from './plan/load-plan.ts';
import { planRequest } from './plan/plan.ts';
import { addApprovedDefaults, addBase, assertEditable, assertPossible, withChanges } from './revise.ts';

/**
 * Replaces a change of a request by another one of the same action, based on the present values, under a new id.
 * Approvals become invalid.
 * @throws ApiError 403 for callers other than the author; 404 for an unknown request or change; 400 for another action,
 * or if the request can no longer be edited; 412 if `If-Match` does not match.
 */
export function editChange(request: Request, caller: PermittedCaller, path: ChangePath, input: ChangeInput) {
  return change(request, caller, {
    items: [changeRequestKeys.changeRequest(path.id)],
    read: async () => {
      const [before, loadedProject] = await loadEditable(request, caller, path);
      const { project, environment, changes, lastId } = before.value;
      const built = buildChange(input, lastId + 1, undefined, caller, new Date().toISOString());
      const replacement = await addTemplate(request, built);
      const next = changes.map((old) => (old.id === path.changeId ? replacement : old));
      const loaded = await loadRequestPlan(request, { project, environment, changes: next });
      return { before, project: loadedProject, replacement, loaded };
    },
    revisionOf: ({ before }) => before,
    decide: ({ before, project, replacement, loaded }, at) => {
      assertEditable(before.value, caller, { project });
      const old = requireChange(before.value, path.changeId);
      if (old.action !== replacement.action || old.feature !== replacement.feature)
        throw invalid('An edited change must have the same action and the same feature as before.', 'action');
      const plan = assertPossible(request, loaded, [replacement], () => [], at);
      const edited = addBase(replacement, loaded);
      const changes = before.value.changes.map((other) => (other === old ? edited : other));
      const after = withChanges(before.value, addApprovedDefaults(changes, plan, loaded), caller, at);
      return {
        ...buildRequestUpdate(before, after, [buildChangeEvent('change-edited', after, edited)]),
        result: { value: after, version: before.version + 1 },
      };
    },
  });
}

/**
 * Removes a change from a request; removing the last change of a draft removes the draft. Approvals become invalid.
 * @throws ApiError 403 for callers other than the author; 404 for an unknown request or change; 400 if the request can no
 * longer be edited, or for the last change of a request other than a draft; 412 if `If-Match` does not match.
 */
export function discardChange(request: Request, caller: PermittedCaller, path: ChangePath): Promise<void> {
  return change(request, caller, {
    items: [changeRequestKeys.changeRequest(path.id)],
    read: async () => {
      const [before, project] = await loadEditable(request, caller, path);
      const changes = before.value.changes.filter(({ id }) => id !== path.changeId);
      const changesSegments = before.value.changes.some(({ feature }) => feature === null);
      const loaded =
        changesSegments || changes.some(isSwitchingOn)
          ? await loadRequestPlan(request, { ...before.value, changes })
          : undefined;
      return { before, project, remaining: changes, loaded };
    },
    revisionOf: ({ before }) => before,
    decide: ({ before, project, remaining, loaded }, at) => {
      assertEditable(before.value, caller, { project });
      const old = requireChange(before.value, path.changeId);
      const changes = loaded ? addApprovedDefaults(remaining, planRequest(request, loaded, at), loaded) : remaining;
      if (changes.length === 0) {
        if (before.value.state !== 'Draft')
          throw invalid('The last change of a request cannot be removed; cancel the request instead.');
        return decideDiscard(before);
      }
      const after = withChanges(before.value, changes, caller, at);
      return {
        ...buildRequestUpdate(before, after, [buildChangeEvent('change-discarded', after, old)]),
        result: undefined,
      };
    },
  });
}

/** Decides to discard a draft. */
export function decideDiscard(before: Versioned<ChangeRequest>) {
  return {
    writes: buildRequestRemoval(before),
    events: [buildRequestEvent('change-request-discarded', before.value)],
    result: undefined,
  };
}

/** Loads a change request and its project. The error of the request comes first. */
function loadEditable(request: Request, caller: PermittedCaller, path: RequestPath) {
  return awaitInOrder([loadChangeRequest(request, caller, path), loadProject(request, path.projectId)]);
}

function requireChange({ changes }: ChangeRequest, id: number): RequestedChange {
  const requested = changes.find((candidate) => candidate.id === id);
  if (requested === undefined) throw notFound('change', id);
  return requested;
}
