import * as peopleKeys from '../identity/keys.ts';
import { assertRoom } from '../limits.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Feedback, Splash } from './ui-state-schema.ts';

/** The admin UI has about twenty. All are read whenever it asks who is signed in. */
const idsMax = 200;

/** @throws ApiError 400 for one answer or splash screen too many. */
async function assertRoomFor(request: Request, userId: number, key: Key): Promise<void> {
  const items = await queryAll<Key>(request, peopleKeys.allUiState(userId));
  if (!items.some(({ sk }) => sk === key.sk))
    assertRoom(items.length, idsMax, 'splash screens and questions of one user');
}

/** Stores the answer of a user to a question, without an event. */
export async function storeFeedback(request: Request, feedback: Feedback): Promise<Feedback> {
  const key = peopleKeys.uiState(feedback.userId, 'FEEDBACK', feedback.feedbackId);
  await assertRoomFor(request, feedback.userId, key);
  await transact(request, [{ put: key, item: { ...feedback } }], feedback);
  return feedback;
}

/** Stores that a user has seen a splash screen, without an event. */
export async function storeSplash(request: Request, userId: number, splashId: string): Promise<Splash> {
  const splash: Splash = { splashId, userId, seen: true };
  const key = peopleKeys.uiState(userId, 'SPLASH', splashId);
  await assertRoomFor(request, userId, key);
  await transact(request, [{ put: key, item: { ...splash } }], splash);
  return splash;
}

export interface UiState {
  readonly feedback: Feedback[];
  /** The ids of the splash screens that the user has seen. */
  readonly splash: Readonly<Record<string, boolean>>;
}

/** Loads the state that the admin UI keeps for a user. */
export async function loadUiState(request: Request, userId: number): Promise<UiState> {
  const items = await queryAll<Key & (Feedback | Splash)>(request, peopleKeys.allUiState(userId));
  const feedback = items.flatMap((item) => {
    if (!('feedbackId' in item)) return [];
    const { feedbackId, neverShow, given } = item;
    return [{ feedbackId, userId, neverShow, given }];
  });
  const seen = items.flatMap((item) => ('splashId' in item ? [[item.splashId, true]] : []));
  return { feedback, splash: Object.fromEntries(seen) };
}
