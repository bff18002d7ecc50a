import { ApiError } from '../../errors.ts';
import { type Gate, openGate, type Request } from '../../request.ts';
import { eventKeysIn, type Write } from '../../store/transactions/write.ts';
import type { Caller } from '../caller.ts';
import { type Grant, names } from '../permissions.ts';
import * as markKeys from './keys.ts';
import { type OverrideMark, projectMarks } from './project-marks.ts';

/**
 * Returns the gate of what a caller changes directly. Where no change needs approval, it is open, and nothing is read but the
 * marks that every request shares.
 * @param findCaller is asked only where some change needs approval; without a caller, everything does there.
 */
export async function approvalGate(request: Request, findCaller: () => Promise<Caller | undefined>): Promise<Gate> {
  const { protected: places, overrides, adminsSkip } = await projectMarks(request);
  if (places.size === 0) return openGate;
  const caller = await findCaller();
  const used = new Map<number, OverrideMark>();
  return {
    protected: places,
    maySkip(project, environment) {
      if (caller === undefined) return false;
      const override = overrides.find(
        (each) => each.project === project && each.environment === environment && isHeldBy(caller, each),
      );
      if (override !== undefined) used.set(override.id, override);
      if (override !== undefined) return true;
      return (
        caller.may('SKIP_CHANGE_REQUEST', project, environment) &&
        (adminsSkip || names(caller.rights, 'SKIP_CHANGE_REQUEST', project, environment))
      );
    },
    override: () => used.keys().next().value,
    besides: (writes) => [...used.values()].flatMap((override) => besides(override, writes)),
  };
}

/** Lists the grants that a caller has by overrides which are under way. */
export async function grantsByOverride(request: Request, caller: Caller): Promise<Grant[]> {
  const { overrides } = await projectMarks(request);
  return overrides
    .filter((each) => isHeldBy(caller, each))
    .map(({ project, environment }) => ({ permission: 'SKIP_CHANGE_REQUEST', project, environment }));
}

/** Tells whether an override lets a caller through now: it takes the right by which they have begun it. */
function isHeldBy(caller: Caller, { holder, project, environment, from, until }: OverrideMark): boolean {
  const now = new Date().toISOString();
  return (
    holder === caller.id && from <= now && now < until && caller.may('APPROVE_CHANGE_REQUEST', project, environment)
  );
}

function ended(environment: string): ApiError {
  const message = `The override in the environment "${environment}" has ended.`;
  return new ApiError('PermissionError', message, [{ message }], { permissions: ['SKIP_CHANGE_REQUEST'] });
}

function besides({ id, project, environment, holder }: OverrideMark, writes: readonly Write[]): Write[] {
  const changed = eventKeysIn(writes).map(({ pk, sk }) => [pk, sk]);
  const first = changed.map(([, sk = '']) => sk).toSorted()[0];
  return [
    {
      check: markKeys.override(project, environment, holder),
      when: { same: { id }, isUnderWay: true },
      otherwise: () => ended(environment),
    },
    // Among what says who may do what, so that the rights of the caller are a condition, too.
    ...(first === undefined
      ? []
      : [{ put: markKeys.changedUnder(id, first), item: { events: JSON.stringify(changed) } }]),
  ];
}
