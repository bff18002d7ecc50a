import type { Trends } from '../../trends/trends-schema.ts';
import { read } from '../data/declare-call.ts';

export const getInsights = read<Trends>()('getInsights', '/api/admin/insights');
