import type { LambdaHandler } from '../../lib/http/declaration.ts';
import { unknownPath } from '../../lib/http/unknown-path.ts';

/** Answers what no route takes. It is not in the registry, since it has neither a method nor a path. */
export const handler: LambdaHandler = unknownPath();
