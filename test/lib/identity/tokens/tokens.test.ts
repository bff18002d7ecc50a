import { describe, expect, test } from 'vitest';
import { systemUser } from '../../../../lib/events/actor.ts';
import * as tokenKeys from '../../../../lib/identity/tokens/keys.ts';
import { hashOf } from '../../../../lib/identity/tokens/token.ts';
import {
  createToken,
  listTokens,
  loadTokensOfUser,
  removeTokens,
  revokeToken,
  type Token,
  tokens,
} from '../../../../lib/identity/tokens/tokens.ts';
import { ensureUser } from '../../../../lib/people/ensure-user.ts';
import { readItem } from '../../../../lib/store/read.ts';
import type { Versioned } from '../../../../lib/store/transactions/versioned.ts';
import { serviceEvents } from '../../../harness/service-events.ts';
import { tableForEach } from '../../../specifications/specify.ts';

const table = tableForEach();

describe('A token', () => {
  test('is stored as a hash: its secret is neither in the store nor in its event', async () => {
    const { secret, id } = await createToken(table, { kind: 'admin', name: 'ci' });
    expect(secret).toMatch(/^\*:\*\.[0-9a-f]{56}$/);
    const item = await readItem(table, tokenKeys.token(hashOf(secret)));
    expect(item).toMatchObject({ kind: 'admin', name: 'ci' });
    const [event, ...others] = await serviceEvents(table);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'api-token-created',
      createdBy: 'unleash_system_user',
      data: { id, tokenName: 'ci', type: 'admin', environment: '*', projects: ['*'] },
    });
    const random = secret.slice('*:*.'.length);
    expect(JSON.stringify([item, event])).not.toContain(random);
    expect(JSON.stringify(event)).not.toContain(hashOf(secret));
  });

  test('that another process has removed is skipped when tokens are removed', async () => {
    const user = await ensureUser(table, { username: 'alice' });
    const [first, second] = [
      await createToken(table, { kind: 'user', user }),
      await createToken(table, { kind: 'user', user }),
    ];
    const known = await loadTokensOfUser(table, user.id);
    await revokeToken(table, first.id);
    await removeTokens(table, systemUser, known);
    expect(await loadTokensOfUser(table, user.id)).toEqual([]);
    const removed = (await serviceEvents(table)).filter(({ type }) => type === 'pat-deleted');
    expect(removed.map(({ preData }) => preData?.id).toSorted()).toEqual([first.id, second.id].toSorted());
  });

  test('that was prolonged meanwhile is not removed as expired', async () => {
    const user = await ensureUser(table, { username: 'alice', rootRole: 'Editor' });
    // The store itself removes what has expired, each minute.
    await createToken(table, { kind: 'user', user, expiresAt: new Date(Date.now() + 600_000) });
    const mayExpire = ({ expiresAt }: Token) => expiresAt !== undefined;
    const known = await loadTokensOfUser(table, user.id);
    const [prolonged] = known as [Versioned<Token>];
    const { expiresAt: _, ...token } = prolonged.value;
    await tokens.update(table, systemUser, token.hash, () => token);
    await removeTokens(table, systemUser, known, mayExpire);
    expect(await loadTokensOfUser(table, user.id)).toHaveLength(1);
    await tokens.update(table, systemUser, token.hash, () => prolonged.value);
    await removeTokens(table, systemUser, known, mayExpire);
    expect(await loadTokensOfUser(table, user.id)).toEqual([]);
  });

  test('is not deleted by the store before it expires', async () => {
    const expiresAt = new Date(Date.now() + 60_500);
    const { secret } = await createToken(table, { kind: 'admin', name: 'ci', expiresAt });
    const item = await readItem<{ expiresAtSeconds: number }>(table, tokenKeys.token(hashOf(secret)));
    expect(item?.expiresAtSeconds).toBe(Math.ceil(expiresAt.getTime() / 1000));
  });

  test('is not revoked by part of its id', async () => {
    const { id } = await createToken(table, { kind: 'admin', name: 'ci' });
    for (const part of ['', id.slice(0, 8), `${id}0`, 'ABCDEF0123456789']) {
      await expect(revokeToken(table, part)).rejects.toMatchObject({ name: 'NotFoundError' });
    }
    expect(await listTokens(table)).toHaveLength(1);
  });
});
