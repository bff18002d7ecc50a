import * as v from 'valibot';
import { changeRequest, preview } from '../../../lib/change-requests/change-request-schema.ts';
import { measureAudience, sampleFields } from '../../../lib/console/preview/audience.ts';
import { listLive, toServedState } from '../../../lib/console/preview/live-strategies.ts';
import { stateAfter } from '../../../lib/console/preview/state-after.ts';
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
      v.description('The JSON Patches that would be applied now: true whatever the proposal says.'),
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

export const calls = [getConsoleRequest];

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

/** The number of made-up users. With it, each share is exact to about 1%. */
const users = 1_000;

/** The most time for measuring, after which no other flag is begun. */
const measuringMs = 1_000;

/** Counts the made-up users who get each flag before and after, as the console does. */
function measureReach({
  request,
  preview: effects,
  features: current,
  segments: used,
  contextFields,
}: Pick<ConsoleRequestPage, 'request' | 'preview' | 'features' | 'segments' | 'contextFields'>) {
  // The effect of a changed segment is wider than the flags of the request.
  if (effects === undefined || request.segments.length > 0) return [];
  const until = performance.now() + measuringMs;
  const legalValuesOf = (field: string) => contextFields.find((each) => each.name === field)?.legalValues ?? [];
  return current.flatMap((feature) => {
    const before = feature.environments.find((each) => each.name === request.environment);
    if (before === undefined || performance.now() > until) return [];
    const after = stateAfter(
      before,
      effects.events.filter(({ featureName }) => featureName === feature.name),
    );
    const strategies = [...listLive(before), ...listLive(after)];
    const ids = new Set(strategies.flatMap((strategy) => strategy.segments));
    const conditions = [
      ...strategies.flatMap(({ constraints }) => constraints),
      ...used.filter((segment) => ids.has(segment.id)).flatMap(({ constraints }) => constraints),
    ];
    // Somebody could write expressions whose comparison with many users takes long.
    if (conditions.some(({ operator }) => operator === 'REGEX')) return [];
    const evaluated = (served: Parameters<typeof toServedState>[0]) => {
      const { enabled, strategies: all } = toServedState(served);
      const active = all.filter(({ disabled }) => !disabled);
      return { name: feature.name, enabled: enabled && (active.length > 0 || all.length === 0), strategies: active };
    };
    const measured = measureAudience(
      evaluated(before),
      evaluated(after),
      used,
      sampleFields(conditions, legalValuesOf),
      users,
    );
    return { flag: feature.name, ...measured };
  });
}
