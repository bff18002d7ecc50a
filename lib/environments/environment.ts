/** An environment as the store holds it. */
export interface EnvironmentItem {
  readonly name: string;
  readonly type: string;
  readonly enabled: boolean;
  readonly protected: boolean;
  readonly sortOrder: number;
}

export interface EnvironmentCounts {
  readonly projectCount: number;
  readonly apiTokenCount: number;
  readonly enabledToggleCount: number;
}

export type CountName = keyof EnvironmentCounts;
