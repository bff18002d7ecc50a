import { wordPermissions } from '../words/permissions.ts';
import type { RefusalBody } from './client.ts';

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
