/** Author of a change, as events show it. */
export interface Actor {
  readonly id: number;
  readonly name: string;
}

/** The service itself, under Unleash's id for it. */
export const systemUser: Actor = { id: -1337, name: 'unleash_system_user' };
