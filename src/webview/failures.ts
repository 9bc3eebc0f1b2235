import { describeError } from './boundary';

/** Failures that are told; a page that fails at every frame would do nothing else. */
const MAX_TOLD = 20;

/** Tells of errors that nothing else caught; returns what ends that. */
export function watchFailures(tell: (report: string) => void): () => void {
  let left = MAX_TOLD;
  const report = (text: string): void => {
    if (left-- > 0) tell(text);
  };
  const onError = ({ error, message, filename, lineno }: ErrorEvent): void => {
    // No error: what observers see is told in the next frame.
    if (message.startsWith('ResizeObserver loop')) return;
    report(
      error === null || error === undefined ? `${message} (${filename}:${lineno})` : describeError(error),
    );
  };
  const onRejection = ({ reason }: PromiseRejectionEvent): void =>
    report(`unhandled: ${describeError(reason)}`);
  window.addEventListener('error', onError);
  window.addEventListener('unhandledrejection', onRejection);
  return () => {
    window.removeEventListener('error', onError);
    window.removeEventListener('unhandledrejection', onRejection);
  };
}
