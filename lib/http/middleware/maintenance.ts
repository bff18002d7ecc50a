import { isInMaintenance, maintenanceError } from '../../settings/maintenance.ts';
import { type Declaration, isMutation } from '../declaration.ts';
import type { RequestCheck } from './state.ts';

/** Answers 503 to a change while the service is in maintenance, before anything about the request is looked at. */
export function maintenance(declaration: Declaration): RequestCheck {
  return async ({ context }) => {
    if (declaration.duringMaintenance || !isMutation(declaration)) return;
    if (await isInMaintenance(context.service)) throw maintenanceError();
  };
}
