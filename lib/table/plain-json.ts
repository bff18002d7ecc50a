import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';

/**
 * DynamoDB's protocol, with JSON as it comes and goes. The SDK's own walks through each value in search of bytes and times,
 * which takes several times as long as parsing; the table has neither.
 */
export class PlainJsonProtocol extends AwsJson1_0Protocol {
  protected override readonly serializer = new PlainSerializer();

  protected override readonly deserializer = {
    setSerdeContext() {},
    read(_schema: unknown, text: string | Uint8Array): unknown {
      return JSON.parse(Buffer.from(text).toString());
    },
  };
}

/** The SDK hands a value over and fetches its text right after. */
class PlainSerializer {
  #value: unknown;

  setSerdeContext(): void {}

  write(_schema: unknown, value: unknown): void {
    this.#value = value;
  }

  flush(): string {
    return JSON.stringify(this.#value);
  }
}
