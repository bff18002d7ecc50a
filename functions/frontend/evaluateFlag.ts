import { ofrepContext } from '../../lib/delivery/evaluation-context-schema.ts';
import { evaluateByOfrep } from '../../lib/delivery/ofrep.ts';
import * as schemas from '../../lib/delivery/ofrep-schema.ts';
import { notFound } from '../../lib/errors.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const handler = endpoint({
  route: 'POST /ofrep/v1/evaluate/flags/{key}',
  group: 'OpenFeature',
  summary: 'Evaluates a flag for the context in the body, for OpenFeature providers.',
  description:
    'A feature is a boolean flag, on or off. One that has variants with payloads has their type instead, and is a boolean under its name and ":enabled". Where it has no payload for the context, the value is left out and the reason is DISABLED, so that the default of the code holds.',
  audience: 'evaluation',
  protocol: 'OFREP',
  rights: 'read',
  body: ofrepContext,
  responses: { 200: schemas.ofrepFlag },
}).handle(async ({ request, scope, params, body: { context }, address }) => {
  const flag = await evaluateByOfrep(request, { scope, contexts: context ? [context] : [], address }, params.key);
  if (flag === undefined) throw notFound('flag', params.key);
  return flag;
});
