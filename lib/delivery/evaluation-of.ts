import { onceFor } from '../values/memory.ts';
import { Evaluation } from './evaluation/evaluation.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

/** The evaluation of a snapshot, which is set up once. */
export const evaluationOf = onceFor((snapshot: Snapshot) => new Evaluation(snapshot));
