/** The consoles that can be served, and `off` for none. They are the values of the setting `CONSOLE`. */
export const consoleChoices = ['flagstaff', 'unleash', 'off'] as const;

export type ConsoleChoice = (typeof consoleChoices)[number];
