import type { ExportData } from '../../../lib/imports/import-data-schema.ts';

/** A file that says nothing, for tests to say something in. */
export const emptyFile: ExportData = {
  features: [],
  featureStrategies: [],
  featureEnvironments: [],
  contextFields: [],
  segments: [],
  tagTypes: [],
  dependencies: [],
};
