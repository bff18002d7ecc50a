/**
 * Loads the dialog of time travel. It is loaded from this file so that the plan of the scripts does not count it among the screens: otherwise
 * the first script would get what it shares with some of them, and few people open it.
 */
export const loadPast = async () => (await import('./past.tsx')).Past;
