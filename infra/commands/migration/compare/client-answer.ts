import * as v from 'valibot';
import type { Get } from '../../../../lib/imports/migration/reading.ts';
import { Problem } from '../../../problem.ts';
import { clientOf } from '../source-client.ts';

const texts = v.nullish(v.array(v.string()), []);
const overrides = v.nullish(v.array(v.object({ contextName: v.string(), values: texts })), []);
const variants = v.nullish(v.array(v.looseObject({ name: v.string(), overrides })), []);

const constraint = v.looseObject({
  contextName: v.string(),
  operator: v.string(),
  values: texts,
  value: v.nullish(v.string()),
  inverted: v.nullish(v.boolean(), false),
  caseInsensitive: v.nullish(v.boolean(), false),
});
export type ClientConstraint = v.InferOutput<typeof constraint>;
const constraints = v.nullish(v.array(constraint), []);

const strategy = v.looseObject({
  name: v.string(),
  parameters: v.nullish(v.record(v.string(), v.unknown()), {}),
  constraints,
  variants,
  segments: v.optional(v.array(v.number())),
});

const flag = v.looseObject({
  name: v.string(),
  enabled: v.boolean(),
  project: v.nullish(v.string(), 'default'),
  type: v.nullish(v.string()),
  stale: v.nullish(v.boolean(), false),
  impressionData: v.nullish(v.boolean(), false),
  strategies: v.nullish(v.array(strategy), []),
  variants,
  dependencies: v.nullish(v.array(v.looseObject({ feature: v.string() })), []),
});
export type ClientFlag = v.InferOutput<typeof flag>;

const answer = v.object({
  features: v.array(flag),
  segments: v.nullish(v.array(v.looseObject({ id: v.number(), constraints })), []),
});

/** The flags and segments that a token can read, by name and id. */
export interface ClientAnswer {
  readonly flags: ReadonlyMap<string, ClientFlag>;
  readonly segments: ReadonlyMap<number, { readonly id: number; readonly constraints: readonly ClientConstraint[] }>;
}

/** A version of the client specification with segments. Older SDKs get them as constraints of each strategy. */
const specificationHeader = { 'unleash-client-spec': '5.2.0' };

/**
 * Downloads the flags of a token, as an SDK does.
 * @throws Problem if the server refuses, cannot be reached, or answers in another format.
 */
export async function fetchAsSdk(server: URL, secret: string): Promise<ClientAnswer> {
  const { status, body } = await createSdkClient(server, secret)('/api/client/features');
  if (status !== 200) throw new Problem(`${server.host} answers an SDK with status ${status}.`);
  const read = v.safeParse(answer, body);
  if (!read.success) throw new Problem(`${server.host} answers an SDK in another format than Unleash.`);
  const { features, segments } = read.output;
  return {
    flags: new Map(features.map((feature) => [feature.name, feature])),
    segments: new Map(segments.map((segment) => [segment.id, segment])),
  };
}

/** Returns the status of a request with an SDK token. The answer is small. */
export async function checkToken(server: URL, secret: string, type: 'client' | 'frontend'): Promise<number> {
  const path = type === 'client' ? '/api/client/features?namePrefix=no.flag.of.this.name' : '/api/frontend';
  return (await createSdkClient(server, secret)(path)).status;
}

function createSdkClient(service: URL, token: string): Get {
  return clientOf({ service, token, headers: specificationHeader });
}
