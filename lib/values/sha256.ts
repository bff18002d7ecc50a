import { hash } from 'node:crypto';

/**
 * Returns the SHA-256 digest of a text, in UTF-8, or of bytes. It is enough to protect a stored secret that has too many random
 * bits to be guessed, such as a token.
 */
export function sha256(content: string | Uint8Array, encoding: 'hex' | 'base64' | 'base64url' = 'hex'): string {
  return hash('sha256', content, encoding);
}
