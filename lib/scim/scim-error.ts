import { ApiError } from '../errors.ts';

/** The reasons for a refusal that SCIM has names for (RFC 7644, section 3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** An error with SCIM's name for its reason. */
export class ScimError extends ApiError {
  readonly scimType: ScimType;

  constructor(scimType: ScimType, message: string) {
    super(scimType === 'uniqueness' ? 'NameExistsError' : 'ValidationError', message);
    this.scimType = scimType;
  }
}
