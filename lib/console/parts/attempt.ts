import { Refusal } from '../data/client.ts';
import { listProblems } from '../data/use-sending.ts';
import { showProblem } from './toasts.tsx';

/**
 * Carries out an act that has no form and no dialog. If the service refuses it, a message says why.
 * @returns true if it succeeded.
 * @throws all errors but refusals.
 */
export async function attempt(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    showProblem(listProblems(error).join(' '));
    return false;
  }
}
