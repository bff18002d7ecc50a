import type { UnleashClient } from 'unleash-proxy-client';
import type { ComparedToken } from '../../../infra/commands/migration/compare/choose-tokens.ts';
import { fetchAsSdk } from '../../../infra/commands/migration/compare/client-answer.ts';
import type { Address } from '../../harness/http-call.ts';
import { Promises } from '../promises.ts';
import { pageClient } from '../sdks/page-sdk.ts';
import { type MovedServer, openMovingAddress } from './moving-address.ts';

const startMs = 30_000;
const pagesMax = 3;

/**
 * Proves that pages notice nothing: browsers' SDK with frontend tokens of the source polls an address that moves to the
 * target, without an error or another answer.
 */
export async function provePagesMove({ source, target, tokens }: MovedServer): Promise<Promises> {
  const promises = new Promises('pages that move');
  await using address = await openMovingAddress(source.url);
  const frontend = tokens.filter(({ type }) => type === 'frontend').slice(0, pagesMax);
  const lucky = await luckyFlags(source, tokens);
  for (const token of frontend) {
    address.moveTo(source.url);
    const errors: unknown[] = [];
    const page = pageOf(address.url, token);
    page.on('error', (error: unknown) => errors.push(error));
    const answers = () => pageAnswers(page, lucky);
    try {
      await page.start();
      const before = answers();
      address.moveTo(target.url);
      // The second answer comes when the first one has been read.
      await promises.within(startMs, `a page with ${token.name} polls the target`, () => address.answered > 1);
      promises.same(`a page with ${token.name} gets the same`, answers(), before);
      promises.same(`a page with ${token.name} has no error`, errors, []);
    } finally {
      page.stop();
    }
  }
  return promises;
}

/** The answers that a page has, but for those that luck decides, as texts. */
export function pageAnswers(page: UnleashClient, lucky: ReadonlySet<string>): string[] {
  return page
    .getAllToggles()
    .filter(({ name }) => !lucky.has(name))
    .map(({ name, variant }) => `${name} ${variant?.name} ${JSON.stringify(variant?.payload)}`)
    .toSorted();
}

/** An SDK of pages that polls every second. */
export function pageOf(url: string, { secret }: ComparedToken): UnleashClient {
  const context = { userId: 'user-7', sessionId: '7', properties: { country: 'NZ', tenant: 'one' } };
  return pageClient({ url }, secret, { appName: 'moving-page', disableMetrics: true, context });
}

/** The flags whose evaluation draws a number, which is another one each time, and those that depend on others. */
export async function luckyFlags({ url }: Address, tokens: readonly ComparedToken[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const { secret } of tokens.filter(({ type, projects }) => type === 'client' && projects.includes('*'))) {
    for (const { name, strategies, dependencies } of (await fetchAsSdk(new URL(url), secret)).flags.values()) {
      if (dependencies.length > 0 || /random/i.test(JSON.stringify(strategies))) found.add(name);
    }
  }
  return found;
}
