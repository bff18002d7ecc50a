import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { weightTotal } from '../../../lib/features/environments/variant-schema.ts';
import { constraintInput } from '../../../lib/features/strategies/constraint-input-schema.ts';
import { isName } from '../../../lib/values/primitives.ts';
import { readClientSpecification, type SpecificationFile } from '../../harness/client-specification.ts';
import { openSite } from './site.ts';
import {
  type Context,
  type EvaluationState,
  type Outcome,
  off,
  type StateFeature,
  type StateSegment,
} from './state.ts';

/** The environment of the checks that name none. */
const usual = 'development';

export interface SpecificationCounts {
  checks: number;
  readonly failed: string[];
  /** Checks of flags that the API refuses to make, by the flag: what is wrong with it. */
  readonly refused: Map<string, { readonly reason: string; checks: number }>;
}

/**
 * Proves every check of the specification of SDKs that can be made over HTTP, evaluated by `/api/frontend` and by OFREP. Flags that the API
 * refuses are put into the store past it, since a store may have them from before the rule.
 */
export async function proveSpecification(): Promise<SpecificationCounts> {
  const counts: SpecificationCounts = { checks: 0, failed: [], refused: new Map() };
  for (const file of readClientSpecification<StateFeature, StateSegment>()) await proveFile(file, counts);
  return counts;
}

async function proveFile(
  { name, state, tests, variantTests }: SpecificationFile<StateFeature, StateSegment>,
  counts: SpecificationCounts,
) {
  const checks = [...tests, ...variantTests];
  const environments = [...new Set([usual, ...checks.map(({ context }) => environmentOf(context))])];
  const reasons = new Map(state.features.map((feature) => [feature.name, reasonAgainst(feature, state)]));
  const refused = state.features.filter(({ name }) => reasons.get(name) !== undefined);
  await using site = await openSite(state, environments, refused);
  for (const { context: given, toggleName, expectedResult, description } of checks) {
    if (expectedResult === false && isWithoutItsSession(state, toggleName, given)) continue;
    const reason = reasons.get(toggleName);
    if (reason !== undefined) {
      const flag = `${name}: ${toggleName}`;
      const before = counts.refused.get(flag)?.checks ?? 0;
      counts.refused.set(flag, { reason, checks: before + 1 });
    }
    counts.checks += 1;
    // Over HTTP an address is always known, unless the context has another one.
    const context = { remoteAddress: '', ...given };
    const place = environmentOf(context);
    const [byFrontend, byOfrep] = await Promise.all([site.frontend(place, context), site.ofrep(place, context)]);
    for (const [way, found] of [
      ['frontend', byFrontend],
      ['OFREP', byOfrep],
    ] as const) {
      const outcome = found.get(toggleName) ?? off;
      if (isAsExpected(outcome, expectedResult, way === 'OFREP')) continue;
      counts.failed.push(`${name}: ${description} (${way}): ${JSON.stringify(outcome)}`);
    }
  }
}

/** Over HTTP a request always has a session, a random one where it names none, so that a rollout by session reaches it. */
function isWithoutItsSession({ features }: EvaluationState, flag: string, { sessionId }: Context): boolean {
  const { strategies = [] } = features.find(({ name }) => name === flag) ?? {};
  return sessionId === undefined && strategies.some(({ name }) => name === 'gradualRolloutSessionId');
}

/** Returns the reason why the API refuses to create a flag; undefined if it does not. */
function reasonAgainst(
  { name, strategies = [], dependencies = [] }: StateFeature,
  { features, segments = [] }: EvaluationState,
): string | undefined {
  if (!isName(name)) return 'its name is invalid';
  for (const { feature, variants = [] } of dependencies) {
    const parent = features.find((each) => each.name === feature);
    if (parent === undefined) return 'a parent that is not there';
    if ((parent.dependencies ?? []).length > 0) return 'a parent that depends on a feature itself';
    const known = [parent, ...(parent.strategies ?? [])].flatMap((each) => each.variants ?? []);
    if (variants.some((variant) => known.every((each) => each.name !== variant)))
      return 'a variant that its parent lacks';
  }
  for (const { variants = [], constraints, segments: used = [] } of strategies) {
    const weights = variants.reduce((sum, { weight = 0 }) => sum + weight, 0);
    if (variants.length > 1 && weights !== weightTotal)
      return `weights that do not add up to ${weightTotal}, which are put right`;
    if (used.some((id) => segments.every((segment) => segment.id !== id))) return 'a segment that is not there';
    for (const each of constraints ?? []) {
      const found = v.safeParse(constraintInput, each);
      if (!found.success) return found.issues[0].message.slice(0, 100);
    }
  }
  return undefined;
}

function environmentOf({ environment }: Context): string {
  return typeof environment === 'string' && environment !== '' ? environment : usual;
}

function isAsExpected({ enabled, variant }: Outcome, expected: unknown, isOfrep: boolean): boolean {
  if (typeof expected === 'boolean') return enabled === expected;
  const { feature_enabled: isOn, payload, ...named } = expected as Outcome['variant'] & { feature_enabled: boolean };
  const { payload: found, ...own } = variant;
  return enabled === isOn && isDeepStrictEqual(own, named) && (isOfrep || isDeepStrictEqual(found, payload));
}
