import type { Declaration } from '../../../lib/http/declaration.ts';
import type { StoreRequestRecord } from '../../harness/store-requests.ts';

export const accessPatternsHead = ['| Operation | asks for, all together | then | waits |', '|---|---|---|---|'];

/** Tells whether an operation asks the store; one that only sends mail does so if there is a sender. */
export function asksStore({ rights, sendsMail }: Pick<Declaration, 'rights' | 'sendsMail'>): boolean {
  return rights !== 'none' && !(rights === 'count' && sendsMail);
}

/** Returns an operation's requests to the store as a row of the table of access patterns. */
export function accessPatternRow(operationId: string, requests: readonly StoreRequestRecord[]): string {
  const waves = [...Map.groupBy(requests, ({ wave }) => wave).values()];
  // Reads that are sent together have no order.
  const cells = waves.map((wave) => distinct(wave.map(patternOfRequest)).toSorted().join(' + '));
  const [first = '', ...then] = cells;
  return `| ${operationId} | ${first} | ${then.join('; then ')} | ${waves.length} |`;
}

function patternOfRequest({ command, targets }: StoreRequestRecord): string {
  // The items of a batch have no order, either.
  return `${command} \`${distinct(targets.map(patternOf)).toSorted().join(', ')}\``;
}

/** Removes duplicates: the number of requests of a kind depends on the store. */
function distinct(patterns: readonly string[]): string[] {
  return [...new Set(patterns)];
}

/** `FEATURE#feature-3 ENVIRONMENT#development` is written as `FEATURE#{feature} ENVIRONMENT#{environment}`. */
function patternOf(target: string): string {
  return (
    target
      // First, since a part of one may look like a name with a number, such as `fade-4123`.
      .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '{id}')
      .replaceAll(/\b([a-z]+(?:-[a-z]+)*)-\d+\b/g, '{$1}')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, '{time}')
      .replace(/(?<=EVENTS#)\d{4}-\d\d/, '{month}')
      .replace(/(?<= )\d{4}-\d\d-\d\dT\d\d(?=#)/, '{hour}')
      .replace(/(?<=MINUTE#)[\dT:-]+/, '{minute}')
      .replace(/(?<=(?:HOUR|LABELS)#)[\dT-]+/, '{hour}')
      .replace(/(?<=IMPACT_METRIC#)\w+/, '{metric}')
      .replace(/(?<=(?:PROJECT|SEEN)#)default\b/, '{project}')
      .replace(/(?<=#)development\b/, '{environment}')
      .replace(/(?<=REFERRERS#[\w ]+#)\S+/, '{id}')
      .replace(/(?<= (?:COUNTS?|MARK)#)\d+/, '{shard}')
      .replaceAll(/\b\d{16}\b/g, '{id}')
      .replace(/(?<=REFERRERS#segment#)\d+/, '{id}')
      .replace(/(?<=TOKENS#)[\da-f]/, '{digit}')
      .replace(/\b[\da-f]{64}\b/, '{hash}')
      .replace(/\b[\da-f]{32}\b/, '{secret}')
      .replace(/\bid-[\da-f]{56}\b/, '{id}')
      .replace(/(?<=STRATEGY_TYPES )\w+/, '{strategy-type}')
      .replace(/(?<=FEATURE_TYPES )[a-z-]+/, '{feature-type}')
      .replace(/(?<=CONTEXT_FIELDS )\w+/, '{field}')
      .replace(/(?<=TAGS#)[a-z]+\b/, '{tag-type}')
      .replace(/(?<=TAG_TYPES )\w+/, '{tag-type}')
      .replace(/(?<=SETTINGS )[\w.]+/, '{setting}')
  );
}
