import { secondsSince } from '../options.ts';
import type { Hands } from './hands.ts';
import { approval } from './journeys/approval.ts';
import { chart } from './journeys/chart.ts';
import { conflict } from './journeys/conflict.ts';
import { createFlag } from './journeys/create-flag.ts';
import { directory } from './journeys/directory.ts';
import { drift } from './journeys/drift.ts';
import { invitation } from './journeys/invitation.ts';
import { override } from './journeys/override.ts';
import { releaseByPlan } from './journeys/release-plan.ts';
import { templateJourney } from './journeys/release-template.ts';
import { schedule } from './journeys/schedule.ts';
import { signInJourney } from './journeys/sign-in.ts';
import { signOutJourney } from './journeys/sign-out.ts';
import { singleSignOn } from './journeys/single-sign-on.ts';
import { timeTravel } from './journeys/time-travel.ts';
import { token } from './journeys/token.ts';
import { viewer } from './journeys/viewer.ts';
import { withoutStorage } from './journeys/without-storage.ts';
import { goThrough, type Journey, openServer, type PartOptions } from './stage.ts';

/** The journeys of the proof, in their order: they share one store. */
const journeys: readonly Journey[] = [
  ...[signInJourney, createFlag, approval, schedule, drift, override, conflict, releaseByPlan, viewer, timeTravel],
  ...[chart, templateJourney, token, invitation, directory, signOutJourney, withoutStorage, singleSignOn],
];

/** The journeys of a quick run: all with the mouse, and one each with the keyboard and a thumb. */
const quickJourneys: Readonly<Record<Hands, readonly Journey[]>> = {
  mouse: journeys,
  keyboard: [approval],
  touch: [override],
};

/** Goes through every journey, or those with a text in their title, with each of these hands, each time on a server of its own. */
export async function proveJourneys(
  options: PartOptions,
  all: readonly Hands[],
  text: string | undefined,
): Promise<void> {
  const isAsked = ({ title }: Journey) => title.includes(text ?? '');
  if (!journeys.some(isAsked)) throw new Error(`No journey has "${text}" in its title.`);
  for (const hands of all) {
    const chosen = options.quick && text === undefined ? quickJourneys[hands] : journeys;
    await using server = await openServer();
    const { url, ask } = server;
    for (const journey of chosen.filter(isAsked)) {
      const begun = performance.now();
      await goThrough(journey, { ...options, url, ask, hands });
      console.log(`${hands}: ${journey.title}: ${secondsSince(begun)}`);
    }
  }
}
