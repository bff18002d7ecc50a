import type { Tone } from '../parts/small.tsx';

/** States of change requests in words. */
export const stateWords: Readonly<Record<string, string>> = {
  Draft: 'Draft',
  'In review': 'In review',
  Approved: 'Approved',
  Scheduled: 'Scheduled',
  Applied: 'Applied',
  Rejected: 'Turned down',
  Cancelled: 'Cancelled',
};

export const stateTones: Readonly<Record<string, Tone | undefined>> = {
  'In review': 'info',
  Approved: 'on',
  Scheduled: 'info',
  Rejected: 'bad',
};
