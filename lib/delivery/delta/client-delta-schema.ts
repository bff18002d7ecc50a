import * as v from 'valibot';
import { count, id, name, object } from '../../values/primitives.ts';
import { clientFeature, clientSegment } from '../client-features-schema.ts';

const eventId = count;

/** An event for an SDK that follows changes: the state of something after it, or that it is gone. */
export const clientEvent = v.variant('type', [
  object({
    type: v.literal('hydration'),
    eventId,
    features: v.array(clientFeature),
    segments: v.array(clientSegment),
  }),
  object({ type: v.literal('feature-updated'), eventId, feature: clientFeature }),
  object({ type: v.literal('feature-removed'), eventId, featureName: name, project: name }),
  object({ type: v.literal('segment-updated'), eventId, segment: clientSegment }),
  object({ type: v.literal('segment-removed'), eventId, segmentId: id }),
]);

/** The events since the state that an SDK has, in the order in which it applies them. */
export const clientDelta = object({ events: v.array(clientEvent) });
