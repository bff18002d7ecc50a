/** Another writer changed what a decision was based on; nothing was written. */
export class LostRace extends Error {
  override readonly name = 'LostRace';
}
