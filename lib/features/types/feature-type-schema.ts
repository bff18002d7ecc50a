import * as v from 'valibot';
import { count, object, text } from '../../values/primitives.ts';

/** The purpose of features and their expected lifetime in days; null for no limit (`featureTypeSchema`). */
export const featureTypeView = object({ id: text, name: text, description: text, lifetimeDays: v.nullable(count) });
export type FeatureType = v.InferOutput<typeof featureTypeView>;

/** The most days that Unleash accepts. */
const lifetimeDaysMax = 2 ** 31 - 1;

export const lifetimeInput = object({ lifetimeDays: v.nullable(v.pipe(count, v.maxValue(lifetimeDaysMax))) });
