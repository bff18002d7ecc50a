import { expect, test } from 'vitest';
import { statusOf } from '../../../lib/http/declaration.ts';
import type { Request } from '../../../lib/request.ts';
import { newAgentOf } from '../../harness/features.ts';
import type { Reply } from '../../harness/service.ts';
import { beforeRequests, recordStoreRequests } from '../../harness/store-requests.ts';
import { expectRefused } from '../expect.ts';
import { audienceOfCallers, defaultBodyBytesMax } from '../specification.ts';
import type { Trial } from '../trial.ts';

/** The operations with which an agent proposes changes. */
const proposing: readonly string[] = [
  ...['addChangeRequestChanges', 'updateChangeRequestChange', 'deleteChangeRequestChange'],
  ...['addChangeRequestComment', 'updateChangeRequestTitle', 'updateChangeRequestState', 'deleteChangeRequest'],
];

/** Reads that agents are refused: they show the secret of an invitation or of an identity provider, or begin a page of the console. */
const refusedReads: readonly string[] = [
  ...['getAllPublicSignupTokens', 'getPublicSignupToken', 'getOidcSettings', 'getConsoleStart'],
];

/** The partitions of change requests and their events. */
const ofProposals = /^(CHANGE_REQUEST|PROJECT#[^#]*#CHANGE_REQUESTS|PROPOSALS|EXPIRIES|ALARMS|MAILS|EVENTS|COUNTER)\b/;

/** Tests that a token that may only propose changes reads, writes change requests, and can do nothing else. */
export function testAgents(trial: Trial): void {
  const { declaration, specification } = trial;
  const { operationId, bodyBytesMax = defaultBodyBytesMax } = specification;
  // An operation that calls others has their answers.
  if (audienceOfCallers(specification) !== 'admin' || declaration.rights === 'calls') return;
  const isRead = declaration.method === 'GET' || declaration.rights === 'read';
  const agentOfAdmin = () => newAgentOf(trial.service, { username: 'agents-owner', rootRole: 'Admin' });

  if (proposing.includes(operationId))
    test('lets the agent of an Admin write nothing but change requests', async () => {
      const example = await trial.example();
      const token = await agentOfAdmin();
      const written = await partitionsWrittenBy(trial.service.table, () => trial.send(example, { token }));
      expect(written.filter((partition) => !ofProposals.test(partition))).toEqual([]);
    });
  else if (isRead && !refusedReads.includes(operationId))
    test('lets the agent of an Admin read, and writes nothing', async () => {
      const example = await trial.idleExample();
      const token = await agentOfAdmin();
      const replies: Reply[] = [];
      const requests = await recordStoreRequests(trial.service.table, async () => {
        replies.push(await trial.send(example, { token }));
      });
      // Things of another person are not found.
      const status = example.headers.authorization === undefined ? statusOf(declaration) : 404;
      expect([statusOf(declaration), status], replies[0]?.text).toContain(replies[0]?.status);
      expect(requests.filter(({ command }) => command === 'TransactWrite' || command === 'Update')).toEqual([]);
    });
  else
    test('is refused with 403 to the agent of an Admin, before anything else', async () => {
      const example = await trial.idleExample();
      const token = await agentOfAdmin();
      const body = ' '.repeat(bodyBytesMax + 1);
      const requests = await recordStoreRequests(trial.service.table, async () => {
        const answer = await trial.send(example, { token, ...(declaration.method !== 'GET' && { body }) });
        expectRefused(answer, 403, 'NoAccessError');
        expect(answer.body.message).toContain('may only read and propose changes');
      });
      expect(requests.filter(({ command }) => command === 'TransactWrite' || command === 'Update')).toEqual([]);
    });
}

type Key = { readonly pk: { readonly S: string } };
type Action = Readonly<Record<string, { readonly Key?: Key; readonly Item?: Key }>>;

/** Returns the partitions that an action writes to, without those of mere conditions. */
async function partitionsWrittenBy(table: Request, action: () => Promise<unknown>): Promise<string[]> {
  const partitions: string[] = [];
  using _ = beforeRequests(table, (input) => {
    const { TransactItems = [] } = input as { readonly TransactItems?: readonly Action[] };
    for (const [operation, { Key, Item }] of TransactItems.flatMap((one) => Object.entries(one))) {
      if (operation !== 'ConditionCheck') partitions.push(String((Key ?? Item)?.pk.S));
    }
  });
  await action();
  return partitions;
}
