/* Names of partitions that both keys and lists need. */

/** Tokens are spread by the first digit of their hash, so that guessing many does not slow one partition down. */
export const tokenShard = (hash: string) => `TOKENS#${hash.slice(0, 1)}`;

/** What a project lists of its features, and what SDKs get of them. */
export const shelfOf = (project: string) => `PROJECT#${project}#FEATURES`;

/** When features of a project were evaluated. */
export const seenOf = (project: string) => `SEEN#${project}`;

/** Sorts as the number does. */
export const padded = (id: number) => String(id).padStart(16, '0');

/** What a user has marked as a favorite. */
export const favoritesOf = (userId: number) => `FAVORITES#${userId}`;

/** What an admin UI keeps of a user. */
export const uiStateOf = (userId: number) => `UI_STATE#${userId}`;

/** The sessions of a user. */
export const sessionsOf = (userId: number) => `SESSIONS#${padded(userId)}`;

/** Who refers to a thing. */
export const referrersOf = (kind: string, id: string) => `REFERRERS#${kind}#${id}`;
