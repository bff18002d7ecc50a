import { describe, expect, test } from 'vitest';
import {
  filterTokens,
  findMaker,
  findTokenProblem,
  isForever,
  listLikelyUsers,
  startOfToken,
} from '../../../../lib/console/tokens/describe-token.ts';
import type { ApiToken } from '../../../../lib/tokens/api-token-schema.ts';

const now = Date.parse('2026-06-30T12:00:00.000Z');

const token = (more: Partial<ApiToken> = {}): ApiToken => ({
  ...{ secret: 'shop:production.0f1c***masked-since-shown-once***17', tokenName: 'shop-backend', type: 'client' },
  ...{ environment: 'production', project: 'shop', projects: ['shop'], alias: null, secure: true },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', expiresAt: null, seenAt: '2026-06-30T11:00:00.000Z' },
  ...more,
});

describe('A token', () => {
  test('needs a look if it has expired, or if nothing has used it for 30 days', () => {
    expect(findTokenProblem(token(), now)).toBeUndefined();
    expect(findTokenProblem(token({ expiresAt: '2026-06-30T12:00:00.000Z' }), now)).toBe('expired');
    expect(findTokenProblem(token({ seenAt: '2026-05-30T00:00:00.000Z' }), now)).toBe('unused');
    expect(findTokenProblem(token({ seenAt: null }), now)).toBe('unused');
    expect(findTokenProblem(token({ seenAt: null, createdAt: '2026-06-29T00:00:00.000Z' }), now)).toBeUndefined();
  });

  test('for the admin API is never called unused, since only uses by SDKs are recorded', () => {
    expect(findTokenProblem(token({ type: 'admin', seenAt: null }), now)).toBeUndefined();
    expect(findTokenProblem(token({ type: 'admin', expiresAt: '2026-06-30T12:00:00.000Z' }), now)).toBe('expired');
  });

  test('is recognized by its beginning, which never shows the rest', () => {
    expect(startOfToken(token().secret)).toBe('shop:production.0f1c…');
    expect(startOfToken('*:development.0123456789abcdef')).toBe('*:development.0123…');
    expect(startOfToken('user:0123456789abcdef')).toBe('user:0123456…');
  });

  test('has no expiry if that is missing, or in the last year', () => {
    expect([null, '9999-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'].map(isForever)).toEqual([true, true, false]);
  });

  test('is found by words of its name, its projects and its environment', () => {
    const all = [token(), token({ tokenName: 'web', type: 'frontend', environment: 'development', seenAt: null })];
    const find = (more: object) =>
      filterTokens(all, { search: '', show: undefined, environment: undefined, ...more }, now).map(
        (each) => each.tokenName,
      );
    expect(find({})).toEqual(['shop-backend', 'web']);
    expect(find({ search: 'SHOP prod' })).toEqual(['shop-backend']);
    expect(find({ environment: 'development' })).toEqual(['web']);
    expect(find({ show: 'unused' })).toEqual(['web']);
  });

  test('was made by the author of its event', () => {
    const { tokenName, createdAt } = token();
    const events = [
      { createdBy: 'priya', createdAt, data: { tokenName, createdAt: '2025-01-01T00:00:00.000Z' } },
      { createdBy: 'jonas', createdAt, data: { tokenName, createdAt } },
    ];
    expect(findMaker(token(), events)).toBe('jonas');
    expect(findMaker(token({ tokenName: 'other' }), events)).toBeUndefined();
    expect(
      findMaker(token(), [
        { ...events[1], createdBy: 'unleash_system_user', data: { tokenName, createdAt }, createdAt },
      ]),
    ).toBe('Flagstaff');
  });

  test('may be used by the applications of its projects and environment in the last 24 hours', () => {
    const application = (
      appName: string,
      project: string,
      environment: string,
      lastSeen = '2026-06-30T11:00:00.000Z',
    ) => ({
      ...{ appName, lastSeen, usage: [{ project, environments: [environment] }] },
    });
    const all = [
      application('shop', 'shop', 'production'),
      application('elsewhere', 'search', 'production'),
      application('tested', 'shop', 'development'),
      application('gone', 'shop', 'production', '2026-06-29T11:00:00.000Z'),
    ];
    expect(listLikelyUsers(token(), all, now)).toEqual(['shop']);
    expect(listLikelyUsers(token({ projects: ['*'] }), all, now)).toEqual(['shop', 'elsewhere']);
    expect(listLikelyUsers(token({ environment: '*' }), all, now)).toEqual(['shop', 'tested']);
  });
});
