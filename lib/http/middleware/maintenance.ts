import { isInMaintenance, maintenanceError } from '../../settings/maintenance.ts';
import { type Declaration, isMutation } from '../declaration.ts';
import type { RequestCheck } from './state.ts';

/** Answers 503 to a change during maintenance, before any other check of the request. */
export function maintenance(declaration: Declaration): RequestCheck {
  return async ({ context }) => {
    if (declaration.duringMaintenance || !isMutation(declaration)) return;
    if (await isInMaintenance(context.service)) throw maintenanceError();
  };
}
