/** An addon as the store holds it. */
export interface AddonItem {
  readonly id: number;
  readonly provider: string;
  readonly enabled: boolean;
  readonly description: string | null;
  readonly createdAt: string;
  /** JSON: what the provider needs, secrets among it. */
  readonly parameters: string;
  /** JSON: event types that it hears of. */
  readonly events: string;
  /** JSON: ids of the projects that it hears of; none means all. */
  readonly projects: string;
  /** JSON: names of the environments that it hears of; none means all. */
  readonly environments: string;
}
