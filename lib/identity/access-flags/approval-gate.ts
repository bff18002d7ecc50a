import { ApiError } from '../../errors.ts';
import { type Gate, openGate, type Request } from '../../request.ts';
import { isOfProposal } from '../../store/transactions/judge-writes.ts';
import { eventKeysIn, type Write } from '../../store/transactions/write.ts';
import { type Caller, onlyProposalsAllowed } from '../caller.ts';
import { allowsByName, type Grant } from '../permissions.ts';
import { loadAccessFlags, type OverrideGrant } from './access-flags.ts';
import * as flagKeys from './keys.ts';

/**
 * Loads the gate for the direct changes of a caller. Where no change needs approval, it is open, and only the access flags are
 * read, which all requests share.
 * @param findCaller is called only if some change needs approval; without a caller, nobody may skip it.
 */
export async function loadApprovalGate(request: Request, findCaller: () => Promise<Caller | undefined>): Promise<Gate> {
  const { protected: environments, overrides, adminsSkip } = await loadAccessFlags(request);
  if (environments.size === 0) return openGate;
  const caller = await findCaller();
  const used = new Map<number, OverrideGrant>();
  return {
    onlyProposals: false,
    protected: environments,
    maySkip(project, environment) {
      if (caller === undefined) return false;
      const override = overrides.find(
        (grant) => grant.project === project && grant.environment === environment && isUsableBy(caller, grant),
      );
      if (override !== undefined) {
        used.set(override.id, override);
        return true;
      }
      return (
        caller.may('SKIP_CHANGE_REQUEST', project, environment) &&
        (adminsSkip || allowsByName(caller.rights, 'SKIP_CHANGE_REQUEST', project, environment))
      );
    },
    overrideId: () => used.keys().next().value,
    extraWrites: (writes) => [...used.values()].flatMap((override) => buildExtraWrites(override, writes)),
  };
}

/**
 * Loads the gate for an agent, which changes nothing directly, even where a change needs no approval. Each of its transactions may only
 * write change requests. This holds for all operations.
 */
export async function loadProposalGate(request: Request): Promise<Gate> {
  const { protected: environments } = await loadAccessFlags(request);
  return {
    ...openGate,
    onlyProposals: true,
    protected: environments,
    maySkip: () => false,
    extraWrites(writes) {
      if (writes.every(isOfProposal)) return [];
      throw onlyProposalsAllowed();
    },
  };
}

/** Lists the permissions that a caller has by overrides at present. */
export async function listOverrideGrants(request: Request, caller: Caller): Promise<Grant[]> {
  const { overrides } = await loadAccessFlags(request);
  return overrides
    .filter((grant) => isUsableBy(caller, grant))
    .map(({ project, environment }) => ({ permission: 'SKIP_CHANGE_REQUEST', project, environment }));
}

/** Tells whether a caller may use an override grant now: they must still have the permission that they needed to get it. */
function isUsableBy(caller: Caller, { holder, project, environment, from, until }: OverrideGrant): boolean {
  const now = new Date().toISOString();
  return (
    holder === caller.id && from <= now && now < until && caller.may('APPROVE_CHANGE_REQUEST', project, environment)
  );
}

function overrideEnded(environment: string): ApiError {
  const message = `The override in the environment "${environment}" has ended.`;
  return new ApiError('PermissionError', message, [{ message }], { permissions: ['SKIP_CHANGE_REQUEST'] });
}

function buildExtraWrites({ id, project, environment, holder }: OverrideGrant, writes: readonly Write[]): Write[] {
  const changed = eventKeysIn(writes).map(({ pk, sk }) => [pk, sk]);
  const first = changed.map(([, sk = '']) => sk).toSorted()[0];
  return [
    {
      check: flagKeys.override(project, environment, holder),
      when: { same: { id }, isUnderWay: true },
      otherwise: () => overrideEnded(environment),
    },
    // This item counts as one that changes rights, so that the caller's rights are a condition of the transaction, too.
    ...(first === undefined
      ? []
      : [{ put: flagKeys.overrideChange(id, first), item: { events: JSON.stringify(changed) } }]),
  ];
}
