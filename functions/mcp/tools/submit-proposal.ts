import * as v from 'valibot';
import { defineTool } from '../../../lib/http/mcp/tool.ts';
import { object, textOfLength } from '../../../lib/values/primitives.ts';
import { updateChangeRequestState } from '../../change-requests/change-requests.ts';
import { loadProposal, proposal, proposalPath, proposalReads } from './proposal.ts';

export const submitProposal = defineTool({
  name: 'submit_proposal',
  title: 'Submit a proposal',
  description:
    'Sends a draft of yours to review. Then people see it, and approve and apply it, or reject it. You can do neither: give the link to a person.',
  input: object({ ...proposalPath, comment: v.exactOptional(textOfLength(1, 1_000)) }),
  output: proposal,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  narrowing: 'Split the proposal.',
  calls: [updateChangeRequestState, ...proposalReads],
  async run({ project, id, comment }, request) {
    const params = { projectId: project, id: String(id) };
    const body = { state: 'In review', ...(comment !== undefined && { comment }) } as const;
    await request.call(updateChangeRequestState, { params, body });
    return loadProposal(request, project, id);
  },
});
