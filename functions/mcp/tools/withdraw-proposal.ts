import * as v from 'valibot';
import { defineTool } from '../../../lib/http/mcp/tool.ts';
import { object } from '../../../lib/values/primitives.ts';
import { deleteChangeRequest } from '../../change-requests/change-requests.ts';
import { proposalPath } from './proposal.ts';

export const withdrawProposal = defineTool({
  name: 'withdraw_proposal',
  title: 'Withdraw a proposal',
  description:
    'Discards a draft of yours, or cancels a proposal of yours that is under review. Flags stay as they are.',
  input: object(proposalPath),
  output: object({ ...proposalPath, withdrawn: v.literal(true) }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  narrowing: '',
  calls: [deleteChangeRequest],
  async run({ project, id }, { call }) {
    await call(deleteChangeRequest, { params: { projectId: project, id: String(id) } });
    return { project, id, withdrawn: true as const };
  },
});
