export const randomUUID = (): string => crypto.randomUUID();
