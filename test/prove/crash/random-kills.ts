import fc from 'fast-check';
import { importPath } from '../../harness/import-file.ts';
import type { World } from '../../harness/world.ts';
import { filedFeature, importFile, manyFeatures } from '../../specifications/files.ts';
import { look, repeatProblems } from './deaths.ts';
import type { CrashOutcome } from './outcome.ts';
import { crashPlanOf } from './plan.ts';
import { type Equipment, keyHeaders, setStage } from './stage.ts';

const features = 400;
/** Most kills of one import in a row, before it is let through. */
const killsInARow = 3;
/** Number of kills between two lines of progress. */
const killsForALine = 15;

/** Kills the process of an import at random moments, and lets it through in the end. The same seed kills alike. */
export async function killImports(
  equipment: Equipment,
  { kills, seed, isKeyed }: { kills: number; seed: number; isKeyed: boolean },
) {
  const prepare = async (world: World) => {
    // Some exist already, in part as they shall be.
    await world.ask('POST', importPath, importFile(world, manyFeatures(40)));
    await world.ask(
      'POST',
      importPath,
      importFile(world, [filedFeature('imported-7', { tags: ['old'], strategy: 'default' })]),
    );
    const request = { method: 'POST', target: importPath, body: importFile(world, manyFeatures(features)) };
    return { request, repeats: false, inParts: true, inSteps: false };
  };
  const stage = await setStage(equipment, prepare, keyHeaders(isKeyed));
  const title = `An import of ${features} features`;
  const plan = await crashPlanOf(stage, { title, isKeyed, isSecret: false });
  const moments = fc.sample(fc.noBias(fc.nat({ max: 1_000 })), { seed, numRuns: kills });

  const outcomes: Record<CrashOutcome, number> = { unchanged: 0, partly: 0, complete: 0 };
  const problems: string[] = [];
  /** Kills after the import had already answered. */
  let late = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const isFirst = kill % killsInARow === 0;
    const isLast = kill % killsInARow === killsInARow - 1 || kill === kills - 1;
    if (isFirst) await stage.reset();
    const killAfterMs = ((moments[kill] ?? 0) / 1_000) * plan.milliseconds;
    const fate = await stage.runInProcess(undefined, { killAfterMs });
    const left = look(await stage.contentAtRest(), plan);
    outcomes[left.outcome] += 1;
    late += Number(fate !== undefined);
    const here = `kill number ${kill + 1}, after ${Math.round(killAfterMs)} ms`;
    if (fate !== undefined && left.outcome !== 'complete') left.problems.push(`it answered but is ${left.outcome}`);
    if (isLast) left.problems.push(...(await repeatProblems(stage, plan, left.outcome)));
    problems.push(...left.problems.map((problem) => `${here}: ${problem}`));
    if ((kill + 1) % killsForALine === 0) console.log(`${title.toLowerCase()}: ${kill + 1} of ${kills} kills`);
  }
  return { late, outcomes, problems };
}
