import * as v from 'valibot';
import { listedProject } from '../projects/project-schema.ts';
import { name, object } from '../values/primitives.ts';

export const projectsQuery = object({ archived: v.exactOptional(v.picklist(['true', 'false'])) });

/** The live or the archived projects by name. */
export const consoleProjects = object({
  projects: v.array(
    object({
      ...listedProject.entries,
      /** Environments in which changes need approval. */
      protected: v.array(name),
    }),
  ),
});
export type ConsoleProjects = v.InferOutput<typeof consoleProjects>;
