import type { Table } from '../../../../lib/table/table.ts';
import { newSecret } from '../../../../lib/users/token.ts';
import { createToken, revokeToken } from '../../../../lib/users/token-store.ts';
import { type Caller, tokenRequestOf } from './callers.ts';

/** What a caller may hold, by what it is; only the first is worth something. */
export async function credentialsOf(table: Table, caller: Caller) {
  const request = tokenRequestOf(caller);
  const expiresAt = new Date(Date.now() - 1);
  const [{ secret: valid }, { secret: expired }, { secret: revoked, id }] = await Promise.all([
    createToken(table, request),
    createToken(table, { ...request, expiresAt }),
    createToken(table, request),
  ]);
  await revokeToken(table, id);
  const random = valid.replace(/^(\*:\*\.|user:)/, '');
  return {
    'that is valid': valid,
    'that has expired': expired,
    'that is revoked': revoked,
    'with the prefix of the other kind': `${request.kind === 'admin' ? 'user:' : '*:*.'}${random}`,
    'in the form of a client token': `shop:development.${random}`,
  };
}

export type Credentials = Awaited<ReturnType<typeof credentialsOf>>;

/** What could stand in an authorization header, is no valid token, and never was one of anybody. */
export function credentialsOfNobody(valid: string): Readonly<Record<string, string>> {
  return {
    'an empty header': '',
    'a space': ' ',
    'the word Bearer': 'Bearer',
    'Bearer twice': `Bearer Bearer ${valid}`,
    'another scheme': `Basic ${Buffer.from(`admin:${valid}`).toString('base64')}`,
    'a text that is no token': 'not-a-token',
    'the prefix of an admin token': '*:*.',
    'the prefix of a personal token': 'user:',
    'an unknown admin token': newSecret('admin'),
    'an unknown personal token': newSecret('user'),
    'a valid token without its last character': valid.slice(0, -1),
    'a valid token and one character more': `${valid}0`,
    'a valid token in capitals': valid.toUpperCase(),
    'a valid token twice': `${valid},${valid}`,
    'the random part of a valid token': valid.slice(4),
    'a client token of all projects': `*:development.${'0123456789abcdef'.repeat(3)}`,
    'a huge token': `*:*.${'f'.repeat(200_000)}`,
    'letters beyond ASCII': '*:*.ключ😀',
    'NUL and line breaks': '*:*.\0\r\nx',
  };
}
