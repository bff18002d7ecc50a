/** A type of strategy as the store holds it. */
export interface StrategyTypeItem {
  readonly name: string;
  readonly description: string;
  /** Those that come with the service cannot be edited. */
  readonly editable: boolean;
  readonly deprecated: boolean;
  /** JSON: what its parameters are, for those who fill in a form. */
  readonly parameters: string;
}
