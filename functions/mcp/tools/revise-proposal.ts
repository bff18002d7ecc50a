import * as v from 'valibot';
import type { changeInput, changesInput } from '../../../lib/change-requests/change-input-schema.ts';
import { titleInput } from '../../../lib/change-requests/change-request-schema.ts';
import { invalid } from '../../../lib/errors.ts';
import { defineTool } from '../../../lib/http/mcp/tool.ts';
import { id, object, openObject } from '../../../lib/values/primitives.ts';
import {
  addChangeRequestChanges,
  deleteChangeRequestChange,
  getChangeRequest,
  updateChangeRequestChange,
  updateChangeRequestTitle,
} from '../../change-requests/change-requests.ts';
import { loadProposal, proposal, proposalPath, proposalReads } from './proposal.ts';

/** A change as `propose_change` takes it. The operation checks it, and the model knows its schema from that tool. */
const change = v.pipe(openObject({}), v.description('A change as in propose_change.'));
const changeId = v.pipe(id, v.description('The id of a change of the proposal.'));

export const reviseProposal = defineTool({
  name: 'revise_proposal',
  title: 'Revise a proposal',
  description:
    'Changes one thing of an open proposal of yours: adds changes, replaces or removes a change, or sets the title. Approvals of a proposal whose changes are revised become invalid.',
  input: object({
    ...proposalPath,
    add: v.exactOptional(v.pipe(v.array(change), v.minLength(1), v.maxLength(50))),
    replace: v.exactOptional(object({ changeId, change })),
    remove: v.exactOptional(changeId),
    title: v.exactOptional(titleInput.entries.title),
  }),
  output: proposal,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  narrowing: 'Split the proposal.',
  calls: [
    ...[addChangeRequestChanges, deleteChangeRequestChange, getChangeRequest, updateChangeRequestChange],
    ...[updateChangeRequestTitle, ...proposalReads],
  ],
  async run({ project, id, add, replace, remove, title }, request) {
    const given = [add, replace, remove, title].filter((part) => part !== undefined);
    if (given.length !== 1) throw invalid('Give exactly one of "add", "replace", "remove" and "title".');
    const { call } = request;
    const params = { projectId: project, id: String(id) };
    if (add !== undefined) {
      const { environment } = await call(getChangeRequest, { params });
      const body = { changes: add, changeRequest: id } as v.InferInput<typeof changesInput>;
      await call(addChangeRequestChanges, { params: { projectId: project, environment }, body });
    } else if (replace !== undefined) {
      const body = replace.change as v.InferInput<typeof changeInput>;
      await call(updateChangeRequestChange, { params: { ...params, changeId: String(replace.changeId) }, body });
    } else if (remove !== undefined) {
      await call(deleteChangeRequestChange, { params: { ...params, changeId: String(remove) } });
    } else if (title !== undefined) {
      await call(updateChangeRequestTitle, { params, body: { title } });
    }
    return loadProposal(request, project, id);
  },
});
