/* Where things are that have both a key and a list. */

/** Tokens are spread by the first digit of their hash, so that guessing many does not slow one partition down. */
export const tokenShard = (hash: string) => `TOKENS#${hash.slice(0, 1)}`;

/** What a project lists of its features, and what SDKs get of them. */
export const shelfOf = (project: string) => `PROJECT#${project}#FEATURES`;

/** When features of a project were evaluated. */
export const seenOf = (project: string) => `SEEN#${project}`;

/** Sorts as the number does. */
export const padded = (id: number) => String(id).padStart(16, '0');

export const favoritesOf = (userId: number) => `FAVORITES#${userId}`;

export const uiStateOf = (userId: number) => `UI_STATE#${userId}`;

export const sessionsOf = (userId: number) => `SESSIONS#${padded(userId)}`;

/** Who refers to a thing. */
export const referrersOf = (kind: string, id: string) => `REFERRERS#${kind}#${id}`;
