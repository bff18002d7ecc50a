import { UsageError, type Verdict } from '../../../infra/commands/command.ts';
import { amountOption, partIn, secondsSince, seedIn } from '../options.ts';
import { openMemoryStore } from '../service.ts';
import { attack } from './attack.ts';
import { Findings } from './findings.ts';
import { type SpecifiedOperation, specifiedOperations } from './operations.ts';
import { attackOverHttp } from './over-http/attack.ts';

/** Options of the command line. */
interface Values {
  readonly quick: boolean;
  readonly seed?: string | undefined;
  readonly runs?: string | undefined;
  readonly only?: string | undefined;
  readonly part?: string | undefined;
  readonly 'over-http': boolean;
}

/** Amount of requests to each operation. */
interface Amount {
  readonly runs: number;
  readonly byHandMax: number;
  /** Number of operations whose examples are sent afterwards, including its own. */
  readonly examples: number;
}

/** Ten times as many would take six hours; `--runs` sends them where an operation needs it. */
const full: Amount = { runs: 1_000, byHandMax: Number.POSITIVE_INFINITY, examples: specifiedOperations.length };

/** Number of requests shared by all operations, however many there are, so that the time stays the same. */
const quickRequests = 30_000;

function quick(attacked: number): Amount {
  const share = Math.min(Math.floor(quickRequests / attacked), 1_000);
  return { runs: Math.ceil(share / 4), byHandMax: Math.ceil((3 * share) / 4), examples: 8 };
}

/** Returns the operation at a place, as if the list began again at its end. */
function at(place: number): SpecifiedOperation {
  return specifiedOperations[place % specifiedOperations.length] as SpecifiedOperation;
}

/** Returns the operations that `--only` names; all without it. */
function namedIn({ only }: Values): readonly SpecifiedOperation[] {
  if (only === undefined) return specifiedOperations;
  return only.split(',').map((name) => {
    const found = specifiedOperations.find(({ operationId }) => operationId === name);
    if (found === undefined) throw new UsageError(`--only takes operationIds with commas between, not "${name}".`);
    return found;
  });
}

/** Sends everything, and says whether all promises held. */
export async function prove(values: Values): Promise<Verdict> {
  const start = performance.now();
  const seed = seedIn(values);
  const named = namedIn(values);
  const attacked = values['over-http'] ? [] : partIn(values, named);
  const amount = values.quick ? quick(named.length) : full;
  const runs = amountOption(values, 'runs', [amount.runs, amount.runs]);
  if (attacked.length > 0) {
    console.log(
      `Hostile requests to ${attacked.length} operations, ${runs} of them generated for each by --seed ${seed}.`,
    );
  }

  await using _store = await openMemoryStore();
  const findings = new Findings();
  for (const [index, operation] of attacked.entries()) {
    // Others each time, so that all of them are asked for in the end.
    const others = Array.from({ length: amount.examples - 1 }, (_, place) => at(index * amount.examples + place));
    const examined = amount.examples === specifiedOperations.length ? specifiedOperations : [operation, ...others];
    try {
      await attack(operation, { seed, runs, byHandMax: amount.byHandMax, examined }, findings);
    } catch (error) {
      // The others are worth an attack all the same.
      findings.add(operation.operationId, ['The attack came to no end:'], String(error), String(error));
    }
    const broken = findings.isClean ? '' : `, kinds of broken promises so far: ${findings.kinds}`;
    console.log(`${secondsSince(start).padStart(6)}  ${operation.operationId}${broken}`);
  }
  // Requests over HTTP are for all operations, so that one part sends them.
  if (values['over-http'] || (values.only === undefined && attacked[0] === specifiedOperations[0])) {
    const schemathesisSeconds = values.quick ? 0 : 60;
    const minute = schemathesisSeconds > 0 ? `, then Schemathesis for ${schemathesisSeconds} s` : '';
    console.log(`${secondsSince(start).padStart(6)}  over HTTP${minute} …`);
    await attackOverHttp({ seed, seconds: schemathesisSeconds }, findings);
  }

  console.log(`\n${findings.table()}\n`);
  if (!findings.isClean) console.error(`Promises broke:\n\n${findings.problems()}\n`);
  const held = findings.isClean ? 'all promises kept' : 'promises broken';
  return {
    passed: findings.isClean,
    summary: `${findings.total} requests, ${held}, in ${secondsSince(start)}; --seed ${seed}.`,
  };
}
