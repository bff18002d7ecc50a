import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from './listening.ts';

/** Stands for Amazon SES: it keeps the mails that are signed with its key, and refuses all others. */
export interface Ses extends AsyncDisposable {
  /** The variables under which mails are sent to it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly mails: readonly { readonly from: string; readonly to: string; readonly text: string }[];
  /** Status of the answer to a rightly signed mail; 200 at first. */
  status: number;
}

const secret = 'a key of this test';

export async function openSes(): Promise<Ses> {
  const mails: Ses['mails'][number][] = [];
  const server = await listening(async (request, response) => {
    const body = await text(request);
    const isSigned = request.headers.authorization === authorizationOf(request, body);
    response.statusCode = isSigned ? ses.status : 403;
    if (response.statusCode === 200) mails.push(mailIn(JSON.parse(body)));
    response.end('{}');
  });
  const ses: Ses = {
    ...server,
    environment: {
      ...{
        EMAIL_SENDER: 'flags@example.com',
        AWS_ENDPOINT_URL_SESV2: server.url,
        AWS_REGION: 'eu-central-1',
      },
      ...{ AWS_ACCESS_KEY_ID: 'AKIDTEST', AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: 'a session' },
    },
    mails,
    status: 200,
  };
  return ses;
}

// biome-ignore lint/suspicious/noExplicitAny: a body in the form that the API of SES has.
function mailIn({ FromEmailAddress, Destination, Content }: any) {
  return { from: FromEmailAddress, to: Destination.ToAddresses.join(), text: Content.Simple.Body.Text.Data };
}

/** By the description of Signature Version 4. */
function authorizationOf({ method, url, headers }: IncomingMessage, body: string): string {
  const [, signed = ''] = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? [];
  const hash = (data: string) => createHash('sha256').update(data).digest('hex');
  const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();
  const lines = signed.split(';').map((name) => `${name}:${headers[name]}\n`);
  const canonical = [method, url, '', lines.join(''), signed, hash(body)].join('\n');
  const at = String(headers['x-amz-date']);
  const scope = `${at.slice(0, 8)}/eu-central-1/ses/aws4_request`;
  const key = scope.split('/').reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secret}`);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', at, scope, hash(canonical)].join('\n')).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=AKIDTEST/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
}
