/** Shows chunks of one message in an element; resolves when the last word is in it. */
export type StreamInto = (element: HTMLElement, chunks: readonly string[]) => Promise<void>;

/** Hands over the chunks one per task, as messages to a page arrive. */
export function feed(chunks: readonly string[], take: (chunk: string) => void): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    let index = 0;
    port2.onmessage = () => {
      const chunk = chunks[index++];
      if (chunk === undefined) {
        port2.close();
        resolve();
        return;
      }
      take(chunk);
      port1.postMessage(0);
    };
    port1.postMessage(0);
  });
}
