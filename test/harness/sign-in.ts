import type { Request } from '../../lib/request.ts';
import { hashPassword } from '../../lib/sign-in/passwords/password-hash.ts';
import { buildRecordChange, loadRecord } from '../../lib/sign-in/passwords/records.ts';
import { buildSession } from '../../lib/sign-in/sessions.ts';
import { transact } from '../../lib/store/transactions/transact.ts';
import type { Reply } from './gateway.ts';
import type { Service } from './service.ts';

/** A password that keeps all rules. */
export const knownPassword = 'Correct-horse-7';

/** Gives a user a password, whatever they had. */
export async function givePassword(table: Request, userId: number, password = knownPassword): Promise<void> {
  const [record, passwordHash] = await Promise.all([
    loadRecord(table, userId),
    hashPassword(table, password, { logN: 4, r: 1, p: 1 }),
  ]);
  await transact(table, [buildRecordChange(userId, record, { passwordHash })], undefined);
}

/** Signs in as the login page does, without a token. */
export function sendSignIn(service: Service, credentials: object): Promise<Reply> {
  return service.post('/auth/simple/login', credentials, { token: null });
}

/** Starts a session of a user; returns the header of its cookie. */
export async function giveSession(table: Request, userId: number): Promise<string> {
  const { secret, write } = buildSession(userId, new Date().toISOString(), {
    ...{ activeSessions: 1, deletedSessions: 0, seenAt: null },
  });
  await transact(table, [write], undefined);
  return `flagstaff-session=${secret}`;
}

/** The header by which a browser sends the cookie that a reply sets. */
export function cookieIn({ headers }: Reply): string {
  return headers['set-cookie']?.split(';', 1)[0] ?? '';
}

/** Header that a browser sends with a request of a page of the service. */
export const fromOwnPage = { 'sec-fetch-site': 'same-origin' };
