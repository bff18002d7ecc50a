import type { ConsoleStart } from '../../screens/start-schema.ts';
import { read } from '../data/declare-call.ts';

export const getConsoleStart = read<ConsoleStart>()('getConsoleStart', '/api/admin/console/start');
