import * as v from 'valibot';
import { boolean, count, name, object, text } from '../values/primitives.ts';
import { shownEvent } from './shown-event-schema.ts';

/** The state of a flag in a production environment. */
const productionState = object({
  name,
  enabled: boolean,
  /** Approvals that a change needs there; missing if it needs none. */
  approvals: v.exactOptional(count),
  /** Evaluations of about the last hour. */
  yes: count,
  no: count,
});

const nowFlag = object({
  name,
  project: name,
  type: text,
  favorite: boolean,
  environments: v.array(productionState),
});
export type NowFlag = v.InferOutput<typeof nowFlag>;

/** The states of flags in production and the events of the last hour, for an incident. */
export const consoleNow = object({ flags: v.array(nowFlag), events: v.array(shownEvent) });
export type ConsoleNow = v.InferOutput<typeof consoleNow>;
