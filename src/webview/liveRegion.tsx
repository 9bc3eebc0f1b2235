import { useRef } from 'preact/hooks';
import type { Saying } from './said';

/**
 * Reads each saying out once. It goes into two boxes by turns: a box that is given the text that it has already would stay silent.
 */
export function LiveRegion({ saying, name }: { saying: Saying | null; name: string }) {
  const turn = useRef(0);
  const last = useRef<Saying | null>(null);
  if (saying !== last.current) turn.current = 1 - turn.current;
  last.current = saying;
  return (
    <>
      {[0, 1].map((box) => (
        <div key={box} class="unseen" role="status" aria-live="polite" data-said={name}>
          {box === turn.current ? saying?.text : ''}
        </div>
      ))}
    </>
  );
}
