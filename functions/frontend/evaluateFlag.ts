import { ofrepFlag } from '../../lib/delivery/ofrep.ts';
import { notFound } from '../../lib/errors.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { ofrepContext } from '../../lib/schemas/evaluation-context.ts';
import * as schemas from '../../lib/schemas/ofrep.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/ofrep/v1/evaluate/flags/{key}',
  group: 'OpenFeature',
  summary: 'Evaluates a flag for the context in the body, for OpenFeature providers.',
  description:
    'A feature is a boolean flag, or has the type of the payloads of its variants. Such a feature stands under its name and ":enabled" as a boolean.',
  audience: 'evaluation',
  protocol: 'OFREP',
  rights: 'read',
  body: ofrepContext,
  responses: { 200: schemas.ofrepFlag },
  errors: [404],
}).handle(async ({ table, scope, params, body: { context }, address }) => {
  const flag = await ofrepFlag(table, { scope, contexts: context ? [context] : [], address }, params.key);
  if (flag === undefined) throw notFound('flag', params.key);
  return flag;
});
