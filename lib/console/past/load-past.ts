/**
 * Loads the dialog of time travel. Few people open it, so that the plan of the scripts need not count it among the screens: what it shares
 * with some of them would otherwise be loaded with the first script.
 */
export const loadPast = async () => (await import('./past.tsx')).Past;
