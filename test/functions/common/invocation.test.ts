import { expect, test } from 'vitest';
import * as registry from '../../../functions/index.ts';
import { toContext } from '../../../lib/http/local/context.ts';
import type { Route } from '../../../lib/http/local/router.ts';
import { freshTable } from '../../harness/table.ts';

const endpoints = Object.entries(registry);

test.each(endpoints)(
  '%s answers an event in which whoever invokes it has left out the headers',
  async (_id, endpoint) => {
    await freshTable();
    const { audience, method, path } = endpoint.declaration;
    const event = { version: '2.0', routeKey: `${method} ${path}`, rawPath: path, isBase64Encoded: false };
    for (const headers of [undefined, null, {}]) {
      const context = toContext({ routeKey: event.routeKey } as Route, 'by-hand');
      const answer = await endpoint({ ...event, headers } as never, context);
      expect(answer.statusCode, answer.body).toBe(audience === 'public' ? 200 : 401);
    }
  },
);
