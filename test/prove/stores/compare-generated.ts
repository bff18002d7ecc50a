import { inspect } from 'node:util';
import fc from 'fast-check';
import { startDynamoDbServer } from '../../harness/dynamodb-server.ts';
import { compareSequence, renew, type StoreDifference } from './compare.ts';
import { comparedAt, openCompared } from './compared-store.ts';
import { dynamoDbLocal, dynoxide, type KnownError } from './reference-errors.ts';
import { Choice } from './sequence/choice.ts';
import { requestSequence, type StoreRequest } from './sequence/requests.ts';

export interface GeneratedReport {
  /** The names of those that our own store was compared with. */
  readonly stores: readonly string[];
  done: number;
  requests: number;
  /** The known errors that were met, and how often. */
  readonly met: Map<KnownError, number>;
  readonly problems: string[];
}

export interface ComparedSequences {
  readonly sequences: number;
  readonly seed: number;
  /** The address of a DynamoDB Local. */
  readonly local: string | undefined;
}

/** Most of the time, one waits for a server. */
const lanes = 3;
/** Number of sequences between two lines of progress. */
const sequencesForALine = 10_000;

/** Compares stores by generated sequences, until one is answered otherwise, which is made as small as it can be. */
export async function compareGenerated({ sequences, seed, local }: ComparedSequences): Promise<GeneratedReport> {
  const stores = local === undefined ? [dynoxide] : [dynoxide, dynamoDbLocal];
  const report: GeneratedReport = { stores, done: 0, requests: 0, met: new Map(), problems: [] };
  const numRuns = Math.ceil(sequences / lanes);
  const all = Array.from({ length: lanes }, (_, lane) =>
    compareInLane(report, `lane${lane}`, { numRuns, seed: seed + lane, local }),
  );
  await Promise.all(all);
  return report;
}

async function compareInLane(
  report: GeneratedReport,
  owner: string,
  { numRuns, seed, local }: { numRuns: number; seed: number; local: string | undefined },
): Promise<void> {
  const server = await startDynamoDbServer({ file: undefined });
  const own = await openCompared();
  const others = [
    comparedAt(dynoxide, server.endpoint, owner),
    ...(local === undefined ? [] : [comparedAt(dynamoDbLocal, local, owner)]),
  ];
  let failed: readonly StoreRequest[] = [];
  const property = fc.asyncProperty(fc.gen(), async (generate) => {
    const sequence = requestSequence(new Choice(generate));
    const { requests, differences, excused } = await compareSequence(sequence, own, others);
    report.done += 1;
    report.requests += requests;
    for (const error of excused) report.met.set(error, (report.met.get(error) ?? 0) + 1);
    if (report.done % sequencesForALine === 0) console.log(`${report.done} sequences, ${report.requests} requests`);
    failed = differences.length > 0 ? sequence : [];
    return failed.length === 0;
  });
  try {
    await Promise.all([own, ...others].map(renew));
    await fc.check(property, { numRuns, seed, endOnFailure: true });
    const differ = async (sequence: readonly StoreRequest[]) =>
      (await compareSequence(sequence, own, others)).differences;
    if (failed.length > 0) report.problems.push(await describeShortest(failed, differ));
  } finally {
    await Promise.all([own, ...others].map((store) => store.close()));
    await server.stop();
  }
}

type Differ = (sequence: readonly StoreRequest[]) => Promise<readonly StoreDifference[]>;

/** Leaves out of a sequence all that does not matter to its differences, and describes what is left. */
async function describeShortest(sequence: readonly StoreRequest[], differ: Differ): Promise<string> {
  let shortest = sequence;
  let differences = await differ(shortest);
  for (const request of sequence) {
    const shorter = shortest.filter((each) => each !== request);
    const found = await differ(shorter);
    if (found.length > 0) [shortest, differences] = [shorter, found];
  }
  return [shown(shortest), ...differences.map(described)].join('\n');
}

const shown = (value: unknown) => inspect(value, { depth: 20, maxStringLength: 200, breakLength: 118 });

function described({ store, request: [operation], own, other }: StoreDifference): string {
  return `  ${operation} is answered ${shown(own)},\n  by ${store} ${shown(other)}`;
}
