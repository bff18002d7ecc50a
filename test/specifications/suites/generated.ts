import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { insecureLocalToken } from '../../../infra/local/insecure-token.ts';
import { isMutation, statusOf } from '../../../lib/http/declaration.ts';
import { toContext } from '../../../lib/http/local/context.ts';
import { addAdminTokens } from '../../../lib/users/tokens.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { accessPatternRow, accessPatternsFile, waitsOf } from '../generated/access-pattern.ts';
import { eventFile, eventOf, eventText } from '../generated/event.ts';
import { operationRow, operationsFile } from '../generated/operations-table.ts';
import { readPart } from '../generated/part.ts';
import type { Trial } from '../trial.ts';

const outdated = 'run "npm run generate"';

/** What is written about an operation for readers and tools. It comes first, since its names are those of a new world. */
export function testGenerated(trial: Trial): void {
  const { specification } = trial;
  const { operationId } = specification;

  test('succeeds with the event in its file, which "npm run generate" writes', async () => {
    await addAdminTokens(trial.service.table, [insecureLocalToken]);
    const event = eventOf(specification, await trial.example());
    expect(readFileSync(eventFile(operationId), 'utf8'), outdated).toBe(eventText(event));
    const { endpoint } = trial;
    const context = toContext({ routeKey: event.routeKey, handler: endpoint } as never, event.requestContext.requestId);
    const { statusCode, body } = await endpoint(event, context);
    expect(statusCode, body).toBe(statusOf(trial.declaration));
  });

  test('answers an event without headers like a request without a token', async () => {
    const event = { ...eventOf(specification, await trial.example()), headers: undefined };
    const { endpoint } = trial;
    const context = toContext({ routeKey: event.routeKey, handler: endpoint } as never, 'by-hand');
    const { statusCode } = await endpoint(event as never, context);
    const status = trial.declaration.body === undefined ? statusOf(trial.declaration) : 415;
    expect(statusCode).toBe(specification.may === 'anyone' ? status : 401);
  });

  test('stands in functions/README.md, compared with Unleash', () => {
    expect(readPart(operationsFile, 'operations'), outdated).toContain(operationRow(specification));
  });

  if (trial.declaration.rights !== 'none')
    // On a busy machine, one request of several may be answered before the next one is sent.
    test('asks the store for what lib/table/README.md says, consistently, and waits for it no more than it must', {
      retry: 3,
    }, async () => {
      const example = await trial.example();
      // From here on its token is known.
      await trial.service.get('/api/admin/environments');
      const requests = await recordStoreRequests(trial.service.table, () => trial.send(example));
      expect(readPart(accessPatternsFile, 'access patterns'), outdated).toContain(
        accessPatternRow(operationId, requests),
      );
      const reads = requests.filter(({ command }) => ['BatchGet', 'Get', 'Query'].includes(command));
      expect(reads.filter(({ isConsistent }) => !isConsistent)).toEqual([]);
      expect(waitsOf(requests)).toBe(specification.waits ?? (isMutation(trial.declaration) ? 2 : 1));
    });
}
