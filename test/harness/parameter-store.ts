import { text } from 'node:stream/consumers';
import { authorizationOf, signingEnvironment } from './aws-signature.ts';
import { listening } from './listening.ts';

/** Stands for AWS's Parameter Store: it hands out one parameter for requests that are signed with its key. */
export interface ParameterStore extends AsyncDisposable {
  /** The variables under which it is asked. */
  readonly environment: Readonly<Record<string, string>>;
  /** The decrypted value. */
  value: string;
  /** The number of requests. */
  readonly reads: number;
}

export async function openParameterStore(name: string): Promise<ParameterStore> {
  const server = await listening(async (request, response) => {
    store.reads += 1;
    const body = await text(request);
    const isSigned = request.headers.authorization === authorizationOf(request, body, 'ssm');
    const { Name, WithDecryption } = JSON.parse(body);
    const isKnown = request.headers['x-amz-target'] === 'AmazonSSM.GetParameter' && Name === name && WithDecryption;
    response.statusCode = isSigned && isKnown ? 200 : 400;
    const refusal = { __type: isSigned ? 'ParameterNotFound' : 'AccessDeniedException' };
    response.end(JSON.stringify(response.statusCode === 200 ? { Parameter: { Value: store.value } } : refusal));
  });
  const store = {
    ...server,
    environment: { ...signingEnvironment, AWS_ENDPOINT_URL_SSM: server.url },
    value: '',
    reads: 0,
  };
  return store;
}
