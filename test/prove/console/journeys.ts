import { approval } from './journeys/approval.ts';
import { conflict } from './journeys/conflict.ts';
import { createFlag } from './journeys/create-flag.ts';
import { drift } from './journeys/drift.ts';
import { override } from './journeys/override.ts';
import { signInJourney } from './journeys/sign-in.ts';
import { viewer } from './journeys/viewer.ts';
import type { Journey } from './stage.ts';

/** The journeys of the proof, in their order: they share one store. */
export const journeys: readonly Journey[] = [signInJourney, createFlag, approval, drift, override, conflict, viewer];
