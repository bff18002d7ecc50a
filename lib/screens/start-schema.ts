import * as v from 'valibot';
import { boolean, count, id, integer, name, object, text, timestamp } from '../values/primitives.ts';

/** An override of approval that has not ended. It may not have begun either. */
const openOverride = object({
  /** The id of its change request. */
  id,
  project: name,
  environment: name,
  reason: text,
  createdBy: object({ id: integer, name: text }),
  from: timestamp,
  until: timestamp,
});
export type OpenOverride = v.InferOutput<typeof openOverride>;

/** The data that every page of the console needs: the reader, their permissions and projects, reviews, overrides and banners. */
export const consoleStart = object({
  user: object({
    id: integer,
    /** The name of the person, or that of the account. */
    name: text,
    username: v.exactOptional(text),
    email: v.exactOptional(text),
  }),
  permissions: v.array(
    object({ permission: text, project: v.exactOptional(text), environment: v.exactOptional(text) }),
  ),
  projects: v.array(object({ id: name, name: text, features: count, favorite: boolean })),
  reviews: object({
    /** Requests that the reader could review or apply now. */
    waiting: count,
    /** All open requests that the reader sees. */
    open: count,
  }),
  /** Overrides of approval that have not ended, in the projects that the reader sees. */
  overrides: v.array(openOverride),
  banners: v.array(
    object({
      id,
      message: text,
      variant: v.picklist(['info', 'warning', 'error', 'success']),
      link: v.exactOptional(text),
      linkText: v.exactOptional(text),
    }),
  ),
  isInMaintenance: boolean,
  /** True if Admins may change protected environments without approval. */
  adminsSkip: boolean,
  version: text,
});
export type ConsoleStart = v.InferOutput<typeof consoleStart>;
