import * as v from 'valibot';
import { changeRequest, preview } from '../../../lib/change-requests/change-request-schema.ts';
import { listConditions, measureAudience, sampleFields, toEvaluable } from '../../../lib/delivery/preview/audience.ts';
import { toServedState } from '../../../lib/delivery/preview/live-strategies.ts';
import { stateAfter } from '../../../lib/delivery/preview/state-after.ts';
import type { ToolRequest } from '../../../lib/http/mcp/tool.ts';
import type { ConsoleRequestPage } from '../../../lib/screens/request-schema.ts';
import { count, id, name, object, text } from '../../../lib/values/primitives.ts';
import { getConsoleRequest } from '../../console/console.ts';

/** The place of a proposal, which `propose_change` returns. */
export const proposalPath = { project: name, id: v.pipe(id, v.description('The id of the change request.')) };

const { state, title, reason, expiresAt } = changeRequest.entries;
const { conflicts } = preview.entries;
const patch = v.array(v.looseObject({}));
const { changes } = changeRequest.entries.features.item.entries;
const { action, payload } = changes.item.entries;

const reach = object({
  flag: name,
  users: v.pipe(count, v.description('The number of made-up users that were evaluated.')),
  before: v.pipe(count, v.description('How many of them get the flag now.')),
  after: v.pipe(count, v.description('How many will get it.')),
  gained: count,
  lost: count,
});

/** The answer of each tool that changes a proposal. */
export const proposal = object({
  ...proposalPath,
  environment: name,
  ...{ state, title, reason, expiresAt },
  changes: v.array(object({ id, flag: v.nullable(name), action, payload })),
  diff: v.exactOptional(
    v.pipe(
      object({ features: v.array(object({ name, patch })), segments: v.array(object({ id, patch })) }),
      v.description('The JSON Patches that would be applied now. Rely on them, not on the texts of the proposal.'),
    ),
  ),
  conflicts: v.exactOptional(v.array(object({ change: conflicts.item.entries.change, message: text }))),
  reach: v.pipe(
    v.array(reach),
    v.description('How many users it reaches; missing for flags where that takes long to compute.'),
  ),
  approvals: v.pipe(count, v.description('The approvals that it needs.')),
  link: v.pipe(text, v.description('The page on which people decide.')),
});

/** The operations that `loadProposal` calls. */
export const proposalReads = [getConsoleRequest];

/** Loads a proposal as the tools answer it. */
export async function loadProposal({ call, origin }: ToolRequest, project: string, id: number) {
  const page = await call(getConsoleRequest, { params: { projectId: project, id: String(id) } });
  const { request, preview: effects } = page;
  return {
    ...request,
    changes: [
      ...request.features.flatMap((feature) => feature.changes.map((change) => ({ ...change, flag: feature.name }))),
      ...request.segments.map((change) => ({ ...change, flag: null })),
    ],
    ...(effects && { diff: effects, conflicts: effects.conflicts }),
    reach: measureReach(page),
    approvals: page.required,
    link: `${origin ?? ''}/projects/${project}/change-requests/${id}`,
  };
}

/** The number of made-up users. It makes each share exact to about 1%. */
const users = 1_000;

/** The time after which no further flag is measured. */
const measuringMs = 1_000;

type ProposalPage = Pick<ConsoleRequestPage, 'request' | 'preview' | 'features' | 'segments' | 'contextFields'>;

/** Counts the made-up users who get each flag before and after the change, as the console does. */
function measureReach(page: ProposalPage): v.InferOutput<typeof reach>[] {
  // A changed segment also affects flags that are not in the request.
  if (page.preview === undefined || page.request.segments.length > 0) return [];
  const until = performance.now() + measuringMs;
  return page.features.flatMap((feature) => (performance.now() > until ? [] : measureFlag(feature, page)));
}

/** Counts the made-up users who get a flag before and after; empty for a flag whose evaluation could take long. */
function measureFlag(
  { name: flag, environments }: ProposalPage['features'][number],
  { request, preview: effects, segments, contextFields }: ProposalPage,
): v.InferOutput<typeof reach>[] {
  const current = environments.find((each) => each.name === request.environment);
  if (current === undefined) return [];
  const own = effects?.events.filter(({ featureName }) => featureName === flag) ?? [];
  const [before, after] = [toServedState(current), toServedState(stateAfter(current, own))];
  const conditions = listConditions([before, after], segments);
  // Somebody could write expressions whose comparison with many users takes long.
  if (conditions.some(({ operator }) => operator === 'REGEX')) return [];
  const legalValuesOf = (field: string) => contextFields.find((each) => each.name === field)?.legalValues ?? [];
  const fields = sampleFields(conditions, legalValuesOf);
  return [{ flag, ...measureAudience(toEvaluable(flag, before), toEvaluable(flag, after), segments, fields, users) }];
}
