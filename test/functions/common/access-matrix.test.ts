import { beforeAll, describe, expect, test } from 'vitest';
import { changesBetween, snapshot } from '../../harness/imports.ts';
import type { Answer, Service } from '../../harness/service.ts';
import { addCallers, callers } from './access/callers.ts';
import { type Cell, cellsOf, type Holdings } from './access/cells.ts';
import { type Credentials, credentialsOf } from './access/credentials.ts';
import { errorsToldBy, guardedOperations, wrongCells } from './access/outcomes.ts';
import { importOf } from './access/requests.ts';
import { knownOperations } from './access/rights.ts';
import { expectAccepted, operations, preparedService } from './operations.ts';

let service: Service;
let holdings: Holdings;
let before: Awaited<ReturnType<typeof snapshot>>;

beforeAll(async () => {
  service = await preparedService();
  expectAccepted(await service.post('/api/admin/features-batch/import', importOf('default')));
  const saml = { entityId: 'https://idp.example.com', signOnUrl: 'https://idp.example.com/on', certificate: 'MII…' };
  expectAccepted(await service.post('/api/admin/auth/saml/settings', saml));
  await addCallers(service.table);
  const credentials = new Map<string, Credentials>();
  for (const caller of callers) credentials.set(caller.name, await credentialsOf(service.table, caller));
  holdings = { credentials, valid: service.adminToken };
  before = await snapshot(service.table);
});

function answerTo({ request: { method, target, body }, header }: Cell): Promise<Answer> {
  return service.call(method, target, { token: header, body });
}

test('The matrix has a line for every operation of the registry, and none besides', () => {
  expect(knownOperations.toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
});

describe('Whoever may not', () => {
  test.each(guardedOperations)('$operationId is refused, all of them in the same words', async (operation) => {
    const cells = cellsOf(operation, holdings).filter(({ expected }) => expected !== 'let in');
    // All at once, so that their tokens are looked up together, and could be mixed up.
    const answers = await Promise.all(cells.map(answerTo));
    expect(wrongCells(cells, answers)).toEqual([]);
    expect(errorsToldBy(answers)).toHaveLength(new Set(cells.map(({ expected }) => expected)).size);
  });

  test('has changed nothing and left no event', async () => {
    expect(changesBetween(before, await snapshot(service.table))).toEqual([]);
  });
});

describe('Whoever may', () => {
  test.each(operations)('$operationId is let in', async (operation) => {
    const cells = cellsOf(operation, holdings).filter(({ expected }) => expected === 'let in');
    const answers: Answer[] = [];
    for (const cell of cells) answers.push(await answerTo(cell));
    expect(wrongCells(cells, answers)).toEqual([]);
    expect(answers[0]?.status).toBeLessThan(300);
  });
});
