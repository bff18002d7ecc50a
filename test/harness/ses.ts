import { text } from 'node:stream/consumers';
import { authorizationOf, signingEnvironment } from './aws-signature.ts';
import { listening } from './listening.ts';

/** Stands for Amazon SES: it keeps the mails that are signed with its key, and refuses all others. */
export interface Ses extends AsyncDisposable {
  /** The variables under which mails are sent to it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly mails: readonly { readonly from: string; readonly to: string; readonly text: string }[];
  /** Status of the answer to a rightly signed mail; 200 at first. */
  status: number;
}

export async function openSes(): Promise<Ses> {
  const mails: Ses['mails'][number][] = [];
  const server = await listening(async (request, response) => {
    const body = await text(request);
    const isSigned = request.headers.authorization === authorizationOf(request, body, 'ses');
    response.statusCode = isSigned ? ses.status : 403;
    if (response.statusCode === 200) mails.push(mailIn(JSON.parse(body)));
    response.end('{}');
  });
  const ses: Ses = {
    ...server,
    environment: { ...signingEnvironment, EMAIL_SENDER: 'flags@example.com', AWS_ENDPOINT_URL_SESV2: server.url },
    mails,
    status: 200,
  };
  return ses;
}

// biome-ignore lint/suspicious/noExplicitAny: a body in the form that the API of SES has.
function mailIn({ FromEmailAddress, Destination, Content }: any) {
  return { from: FromEmailAddress, to: Destination.ToAddresses.join(), text: Content.Simple.Body.Text.Data };
}
