import { expect, test } from 'vitest';
import { createToken, loadTokensOfUser } from '../../../lib/identity/tokens/tokens.ts';
import { confirmAddress } from '../../../lib/sign-in/own-address.ts';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';

test('Confirming an address that is not marked as unverified ends nothing, however many tokens there are', async () => {
  const service = await freshService();
  const user = await new World(service).user();
  for (let index = 0; index < 25; index += 1) await createToken(service.table, { kind: 'user', user });
  await confirmAddress(service.table, user.id);
  expect(await loadTokensOfUser(service.table, user.id)).toHaveLength(25);
});
