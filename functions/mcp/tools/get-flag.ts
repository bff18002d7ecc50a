import * as v from 'valibot';
import { playground } from '../../../lib/delivery/playground-schema.ts';
import { ApiError, joinNames, truncate } from '../../../lib/errors.ts';
import { feature, featureEnvironment } from '../../../lib/features/feature-schema.ts';
import type { Call } from '../../../lib/http/handler-types.ts';
import { defineTool } from '../../../lib/http/mcp/tool.ts';
import { consoleFlag } from '../../../lib/screens/flag-schema.ts';
import { boolean, count, id, name, object, text } from '../../../lib/values/primitives.ts';
import { getConsoleFlag } from '../../console/console.ts';
import { getPlayground } from '../../playground/playground.ts';

/** An object of the API. A model would pay more for its long schema than it gains. */
const detailed = v.looseObject({});

const { type, description, stale, impressionData, createdAt, createdBy, lastSeenAt, tags, lifecycle, dependencies } =
  feature.entries;
const { enabled } = featureEnvironment.entries;
const { applications, requests } = consoleFlag.entries;
const { isEnabled, hasUnsatisfiedDependency, variant } = playground.entries.features.item.entries;

const context = object({
  userId: v.exactOptional(text),
  sessionId: v.exactOptional(text),
  remoteAddress: v.exactOptional(text),
  appName: v.exactOptional(text),
  currentTime: v.exactOptional(v.pipe(text, v.description('A time such as 2026-12-31T23:59:59Z.'))),
  properties: v.exactOptional(v.pipe(v.record(text, text), v.description('Other fields of the context.'))),
});

export const getFlag = defineTool({
  name: 'get_flag',
  title: 'Get a feature flag',
  description:
    'Returns a live flag: its strategies in each environment, whether changes there need approval, who uses it, and its open change requests. With "explain", it also tells what a context gets, and why.',
  input: object({
    project: name,
    flag: name,
    environment: v.exactOptional(v.pipe(name, v.description('Returns this environment only.'))),
    explain: v.exactOptional(
      object({ environment: name, context: v.pipe(context, v.description('The context of an SDK.')) }),
    ),
  }),
  output: object({
    flag: object({
      ...{ name, project: name, type, description, stale, impressionData },
      ...{ createdAt, createdBy, lastSeenAt, tags, lifecycle, dependencies },
    }),
    environments: v.array(
      object({
        name,
        type: text,
        enabled,
        approvals: v.pipe(
          count,
          v.description('The approvals that a change needs there; 0 if people may change it directly.'),
        ),
        strategies: v.array(detailed),
        variants: v.array(detailed),
        releasePlans: v.array(detailed),
        safeguards: v.array(detailed),
        evaluations: v.pipe(
          object({ yes: count, no: count }),
          v.description('How often SDKs got the flag as on or off in the last 24 hours.'),
        ),
      }),
    ),
    segments: v.pipe(
      v.array(object({ id, name: text, constraints: v.array(detailed) })),
      v.description('The segments that its strategies name by id.'),
    ),
    applications: v.pipe(applications, v.description('Who used it within 24 hours.')),
    changeRequests: v.pipe(requests, v.description('The open change requests on it.')),
    explanation: v.exactOptional(
      object({
        environment: name,
        isEnabled,
        isEnabledInEnvironment: boolean,
        hasUnsatisfiedDependency,
        variant,
        strategies: v.pipe(v.array(detailed), v.description('Each with the result of each constraint.')),
      }),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  narrowing: 'Name an "environment".',
  calls: [getConsoleFlag, getPlayground],
  async run({ project, flag, environment, explain }, { call }) {
    const params = { projectId: project, featureName: flag };
    const page = await call(getConsoleFlag, { params });
    const names = page.feature.environments.map((each) => each.name);
    assertKnown(environment, names);
    assertKnown(explain?.environment, names);
    const explanation = explain && (await explainFlag(call, project, flag, explain));
    const usage = new Map(page.environments.map((each) => [each.name, each]));
    const environments = page.feature.environments
      .filter((each) => environment === undefined || each.name === environment)
      .map((each) => {
        const { approvals = 0, yes = [], no = [] } = usage.get(each.name) ?? {};
        return { ...each, approvals, evaluations: { yes: sum(yes), no: sum(no) } };
      });
    return {
      flag: page.feature,
      environments,
      segments: page.segments,
      applications: page.applications,
      changeRequests: page.requests,
      ...(explanation && { explanation }),
    };
  },
});

/** @throws ApiError 404 that names the environments of the flag, if it does not have the one that was asked for. */
function assertKnown(asked: string | undefined, names: readonly string[]): void {
  if (asked === undefined || names.includes(asked)) return;
  const message = `The flag has no environment "${truncate(asked)}". Its environments: ${joinNames(names)}.`;
  throw new ApiError('NotFoundError', message);
}

/** Explains the result of a flag for a context. */
async function explainFlag(
  call: Call,
  project: string,
  flag: string,
  { environment, context: sent }: { readonly environment: string; readonly context: v.InferOutput<typeof context> },
) {
  const body = { environment, projects: [project], context: { appName: 'mcp', ...sent } };
  // Unlike the advanced playground, it does not split values at commas.
  const { features } = await call(getPlayground, { body });
  const found = features.find((each) => each.name === flag);
  if (found === undefined) return undefined;
  const { isEnabledInCurrentEnvironment: isEnabledInEnvironment, strategies, ...result } = found;
  return { ...result, environment, isEnabledInEnvironment, strategies: strategies.data };
}

const sum = (counts: readonly number[]) => counts.reduce((total, each) => total + each, 0);
