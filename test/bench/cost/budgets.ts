import * as registry from '../../../functions/index.ts';
import { type Endpoint, isMutation, isOfSdks } from '../../../lib/http/declaration.ts';
import type { Cost } from './measure.ts';
import type { Row } from './scenarios.ts';

const endpoints: Readonly<Record<string, Endpoint>> = registry;

/**
 * Items written for a feature that is created or deleted: itself and its state in an environment, both for its project,
 * too, its events, and its entry in the archive.
 */
const itemsOfFeature = 6;
/** Operation that writes one item more of each feature: it also removes the feature's last use. */
const withLastUse = 'deleteFeatures';
/**
 * Other items that a transaction may write: the counts of environments, the marks of a project, an event of the
 * service, a new tag with the count of its type's tags or a parent's child, a kept answer; and for a segment in use,
 * the segment, its user and their number.
 */
const otherItems = 11;
/** Least number of features in a transaction, of the 100 items that AWS allows. */
const featuresOfTransaction = 16;

/**
 * Number of features whose transactions are prepared while the store answers those sent before, which counts as another
 * wait.
 */
const featuresPrepared = 300;

/** Tells whether the operation of a row changes something, even if it only signs somebody in. */
export function isWrite({ operation }: Pick<Row, 'operation'>): boolean {
  const endpoint = endpoints[operation];
  if (endpoint === undefined) return false;
  const { declaration } = endpoint;
  return isMutation(declaration) || (declaration.rights === 'count' && !isOfSdks(declaration));
}

/**
 * Returns the budget of a row. A read waits for the store once, a write twice; once more if something is asked first,
 * and if several transactions have a final one. A further stage waits for the one before it. The items are those that
 * change, and their events.
 */
export function budgetOf(row: Row): Pick<Cost, 'waits' | 'transactions' | 'itemsWritten'> {
  const { operation, size, stages = 1, isAskedFirst, waits } = row;
  const ofFeature = itemsOfFeature + Number(operation === withLastUse);
  const furtherStages = stages - 1;
  const transactions = isWrite(row) ? Math.ceil(size / featuresOfTransaction) + furtherStages : 0;
  return {
    waits:
      (waits ?? 1 + Math.min(transactions, 2) + Number(isAskedFirst)) +
      furtherStages +
      Number(furtherStages > 0) +
      Math.floor(size / featuresPrepared),
    transactions,
    itemsWritten: isWrite(row) ? ofFeature * size + otherItems * transactions : 0,
  };
}

/** Returns the figures of a row that exceed its budget. */
export function excessOf(row: Row): string[] {
  const budget = budgetOf(row);
  return Object.entries(budget).flatMap(([name, limit]) => {
    const value = row.cost[name as keyof typeof budget];
    return value > limit ? [`${row.scenario}: ${value} ${name}, more than ${limit}`] : [];
  });
}
