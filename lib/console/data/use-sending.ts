import { useState } from 'preact/hooks';
import { Refusal } from './client.ts';

/** The state of a form that sends changes. */
export interface Sending {
  readonly isBusy: boolean;
  /** The reasons why the last attempt failed. */
  readonly problems: readonly string[];
  /** The failure of the last attempt, with the fields that it is about. */
  readonly refusal: Refusal | undefined;
  /**
   * Sends a change and shows why it fails.
   * @returns true if it succeeded.
   */
  readonly send: (act: () => Promise<unknown>) => Promise<boolean>;
}

/** Keeps the state of a form while it sends changes. What somebody typed stays after a failure. */
export function useSending(): Sending {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  async function send(act: () => Promise<unknown>): Promise<boolean> {
    setBusy(true);
    setRefusal(undefined);
    try {
      await act();
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setRefusal(error);
      return false;
    } finally {
      setBusy(false);
    }
  }
  return { isBusy, problems: refusal === undefined ? [] : listProblems(refusal), refusal, send };
}

/** Lists the reasons of a refusal: its details if there are several, otherwise its message. */
export function listProblems({ status, message, details }: Refusal): readonly string[] {
  if (status === 412) return ['Somebody changed this while you looked. What you see now is current: decide again.'];
  return details.length > 1 ? details.map((detail) => detail.message) : [message];
}
