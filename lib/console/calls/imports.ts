import type { ExportedFeatures } from '../../imports/export-schema.ts';
import type { ImportData, ImportValidation } from '../../imports/import-data-schema.ts';
import { change } from '../data/declare-call.ts';

const batch = '/api/admin/features-batch';

export const exportFeatures = change<
  ExportedFeatures,
  { readonly environment: string; readonly project?: string; readonly tag?: string; readonly features?: string[] }
>()('exportFeatures', 'POST', `${batch}/export`);

/** A file with its target; its content is checked by the service. */
export type ImportBody = Pick<ImportData, 'project' | 'environment'> & { readonly data: object };
export const validateImport = change<ImportValidation, ImportBody>()('validateImport', 'POST', `${batch}/validate`);
export const importToggles = change<unknown, ImportBody>()('importToggles', 'POST', `${batch}/import`);
