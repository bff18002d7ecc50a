import type { ExportData } from '../../../lib/imports/import-data-schema.ts';

/** An empty file, for tests to add something. */
export const emptyFile: ExportData = {
  features: [],
  featureStrategies: [],
  featureEnvironments: [],
  contextFields: [],
  segments: [],
  tagTypes: [],
  dependencies: [],
};
