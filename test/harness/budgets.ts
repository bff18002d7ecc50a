/** What a cold start is allowed to read: the bundle of one function, in bytes. */
export const bundleBytesMax = 280_000;

/** The same of a function that evaluates features. */
export const evaluatingBytesMax = 350_000;

/** How long a fresh process may take to its first answer, as a multiple of one that only imports the SDK's client. */
export const coldRatioMax = 1.15;
