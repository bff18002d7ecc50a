import * as v from 'valibot';
import { changeInput, proposalInput } from '../../../lib/change-requests/change-input-schema.ts';
import { strategyVariants } from '../../../lib/features/environments/variant-schema.ts';
import { environmentSafeguardInput } from '../../../lib/features/plans/safeguard-schema.ts';
import { constraintInput } from '../../../lib/features/strategies/constraint-input-schema.ts';
import { strategyInput, strategyReplacement } from '../../../lib/features/strategies/strategy-input-schema.ts';
import { defineTool } from '../../../lib/http/mcp/tool.ts';
import { name, object } from '../../../lib/values/primitives.ts';
import { addChangeRequestChanges } from '../../change-requests/change-requests.ts';
import { loadProposal, proposal, proposalReads } from './proposal.ts';

const { title, reason } = proposalInput.entries;

export const proposeChange = defineTool({
  name: 'propose_change',
  title: 'Propose a change',
  description:
    'Makes a change request for one environment: a draft that changes nothing, until you submit it, and a person approves and applies it. It answers with the true diff, the users that it would reach, and a link for people. Read the flag with get_flag first. An updateStrategy replaces the parameters, constraints and variants of the strategy: send those that should stay, too. An updateEnabled that switches on a flag without strategies adds the default one, which usually serves everybody: send addStrategy before it. With a token of the scope propose, it works in every environment; otherwise, only where changes need approval. A proposal that is not applied is cancelled after 30 days.',
  input: object({
    project: name,
    environment: name,
    title,
    reason: v.pipe(reason.wrapped, v.description('Why the change is needed. People decide by it.')),
    changes: v.pipe(
      v.array(changeInput),
      v.minLength(1),
      v.maxLength(50),
      v.description('Each names its "feature", unless it changes a segment.'),
    ),
  }),
  types: {
    Strategy: strategyInput,
    StrategyReplacement: strategyReplacement,
    Variant: strategyVariants.item,
    Constraint: constraintInput,
    ImpactMetric: environmentSafeguardInput.entries.impactMetric,
  },
  output: proposal,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  narrowing: 'Propose fewer changes at once.',
  calls: [addChangeRequestChanges, ...proposalReads],
  async run({ project, environment, ...body }, request) {
    const params = { projectId: project, environment };
    const { id } = await request.call(addChangeRequestChanges, { params, body });
    return loadProposal(request, project, id);
  },
});
