/** Decoder of bzip2; the part that is used here. */
declare module 'seek-bzip' {
  interface Output {
    writeByte(byte: number): void;
    flush?(): void;
  }
  const bunzip: {
    /** `multistream` goes on behind the end of a first stream, as parallel packers write them. */
    decode(input: Uint8Array, output: Output, multistream: boolean): void;
  };
  export = bunzip;
}
