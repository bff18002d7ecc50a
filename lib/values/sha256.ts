import { hash } from 'node:crypto';

/**
 * Returns the SHA-256 digest of a text, as UTF-8, or of bytes. It also protects a stored secret that has too many
 * random bits to be guessed.
 */
export function sha256(content: string | Uint8Array, encoding: 'hex' | 'base64' | 'base64url' = 'hex'): string {
  return hash('sha256', content, encoding);
}
