import type { InferOutput } from 'valibot';
import type { AdvancedPlaygroundRequest, advancedPlayground } from '../../delivery/playground-schema.ts';
import { change } from '../data/declare-call.ts';

export type PlaygroundAnswer = InferOutput<typeof advancedPlayground>;

export const getAdvancedPlayground = change<PlaygroundAnswer, AdvancedPlaygroundRequest>()(
  'getAdvancedPlayground',
  'POST',
  '/api/admin/playground/advanced',
);
