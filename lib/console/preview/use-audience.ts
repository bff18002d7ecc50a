import { useEffect, useState } from 'preact/hooks';
import type { AudienceCounts } from '../../delivery/preview/audience.ts';
import type { measureChange } from './measure-change.ts';

/** The number of made-up users. With it, each share is exact to about 1%. */
const users = 1_000;

type MeasuredChange = Parameters<typeof measureChange>;

/** A change of a flag whose users are counted. */
interface CountedChange {
  readonly flag: string;
  readonly before: MeasuredChange[1];
  readonly after: MeasuredChange[2];
  readonly segments: MeasuredChange[3];
  readonly legalValuesOf: MeasuredChange[4];
}

/**
 * Counts the made-up users who get a flag before and after a change. The code that evaluates flags is loaded when it is needed.
 * @param change undefined while there is nothing to count.
 * @param causes the values on which the change depends: with others, the users are counted again.
 * @returns undefined until they are counted, and for conditions that take too long to evaluate.
 */
export function useAudience(change: CountedChange | undefined, causes: readonly unknown[]): AudienceCounts | undefined {
  const [audience, setAudience] = useState<AudienceCounts>();
  useEffect(() => {
    if (change === undefined) return;
    let isCurrent = true;
    count(change).then(
      (counted) => isCurrent && setAudience(counted),
      () => isCurrent && setAudience(undefined),
    );
    return () => {
      isCurrent = false;
    };
  }, causes);
  return audience;
}

async function count({ flag, before, after, segments, legalValuesOf }: CountedChange): Promise<AudienceCounts> {
  const { measureChange } = await import('./measure-change.ts');
  return measureChange(flag, before, after, segments, legalValuesOf, users);
}
