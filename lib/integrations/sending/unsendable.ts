/** An event that can never be sent to an integration as it is set up; the message says why, in words for its log. */
export class Unsendable extends Error {
  override readonly name = 'Unsendable';
}
