import type { Gate, Request } from '../../request.ts';
import type { Caller } from './caller.ts';
import { names } from './permissions.ts';
import { projectMarks } from './project-marks.ts';

/**
 * Returns the gate of what a caller changes directly; undefined where no change needs approval, for which nothing is
 * read but the marks that every request shares.
 * @param findCaller is asked only where some change needs approval; without a caller, everything does there.
 */
export async function approvalGate(
  request: Request,
  findCaller: () => Promise<Caller | undefined>,
): Promise<Gate | undefined> {
  const { protected: places, adminsSkip } = await projectMarks(request);
  if (places.size === 0) return undefined;
  const caller = await findCaller();
  return {
    protected: places,
    maySkip: (...place) =>
      caller?.may('SKIP_CHANGE_REQUEST', ...place) === true &&
      (adminsSkip || names(caller.rights, 'SKIP_CHANGE_REQUEST', ...place)),
  };
}
