import { Evaluation } from './evaluation/evaluation.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

const evaluations = new WeakMap<Snapshot, Evaluation>();

/** The evaluation of a snapshot, which is set up once. */
export function evaluationOf(snapshot: Snapshot): Evaluation {
  const evaluation = evaluations.get(snapshot) ?? new Evaluation(snapshot);
  evaluations.set(snapshot, evaluation);
  return evaluation;
}
