/** The ARN of a key, and not of an alias. It captures the region. */
export const keyArn = /^arn:aws[\w-]*:kms:([a-z0-9-]+):\d{12}:key\/[\w-]+$/;

/**
 * Returns the ARN of a key. Rights on a key need the ARN of the key itself, so an alias is refused.
 * @throws Error unless it is a key in the region of the deployment, where the CDK knows the region.
 */
export function encryptionKeyOf(arn: string | undefined): string | undefined {
  if (arn === undefined) return undefined;
  const region = process.env.CDK_DEFAULT_REGION;
  const [, keyRegion] = keyArn.exec(arn) ?? [];
  if (keyRegion === undefined) {
    throw new Error(
      `encryptionKeyArn must be the ARN of a key, such as arn:aws:kms:eu-central-1:123456789012:key/1234abcd, and not of an alias, but it is "${arn}".`,
    );
  }
  if (region && region !== keyRegion) {
    throw new Error(
      `encryptionKeyArn is a key in ${keyRegion}, but the stack is deployed in ${region}. A table needs a key of its own region.`,
    );
  }
  return arn;
}

/** The form that all services accept. AWS reserves names that begin with "aws:". */
const tag = /^(?!aws:)([\w .:/+@-]{1,128})=([\w .:/+=@-]{0,256})$/i;

/**
 * Returns the tags of a list such as `team=flags,cost=42`.
 * @throws Error unless it is a list of tags with different names.
 */
export function tagsOf(text = ''): Record<string, string> {
  const tags: Record<string, string> = {};
  for (const part of text.split(',').filter(Boolean)) {
    const [, name, value] = tag.exec(part.trim()) ?? [];
    if (name === undefined || value === undefined || Object.hasOwn(tags, name)) {
      throw new Error(`tags must be different names with values, such as team=flags,cost=42, not "${text}".`);
    }
    tags[name] = value;
  }
  return tags;
}
