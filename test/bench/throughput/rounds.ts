/** Number of repetitions of a measurement. */
export interface RoundsPlan {
  readonly rounds: number;
  /** Seconds for all rounds together, what is prepared for them included. */
  readonly secondsMax: number;
}

/** A middle needs some numbers around it. */
const roundsMin = 3;

/** Runs all rounds, or when they take too long only as many as have begun by then. */
export async function inRounds({ rounds, secondsMax }: RoundsPlan, round: () => Promise<void>): Promise<void> {
  const end = performance.now() + secondsMax * 1_000;
  for (let done = 0; done < rounds && (done < roundsMin || performance.now() < end); done += 1) await round();
}
