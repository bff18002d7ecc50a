import { wordPermissions } from '../words/permissions.ts';

/** The body of an answer that is no success. */
export interface RefusalBody {
  readonly id?: string;
  readonly name?: string;
  readonly message?: string;
  readonly details?: readonly { readonly message: string; readonly path?: string }[];
}

/** Replaces the ids of permissions in the sentences of a refusal. */
export function wordRefusal({ message, details, ...others }: RefusalBody): RefusalBody {
  return {
    ...others,
    ...(message !== undefined && { message: wordPermissions(message) }),
    ...(details !== undefined && {
      details: details.map((detail) => ({ ...detail, message: wordPermissions(detail.message) })),
    }),
  };
}
