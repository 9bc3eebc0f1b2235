import type { DiffHunk, DiffLine, DiffView } from '../../core/session/state';
import { usePage } from '../page';

const CLASSES = { ' ': 'same', '+': 'added', '-': 'removed' } as const;

/** How many lines came and went. */
export function DiffCount({ diff }: { diff: Pick<DiffView, 'added' | 'removed'> }) {
  const { t } = usePage();
  return (
    <span class="counts nums">
      {diff.added > 0 && (
        <span class="ok" aria-label={t('linesAdded', diff.added)}>
          +{diff.added}
        </span>
      )}
      {diff.removed > 0 && (
        <span class="bad" aria-label={t('linesRemoved', diff.removed)}>
          −{diff.removed}
        </span>
      )}
    </span>
  );
}

function numbered(hunk: DiffHunk): { line: DiffLine; number: number }[] {
  let { oldStart, newStart } = hunk;
  return hunk.lines.map((line) => {
    const number = line.sign === '-' ? oldStart : newStart;
    if (line.sign !== '+') oldStart++;
    if (line.sign !== '-') newStart++;
    return { line, number };
  });
}

/** The changed places of a file, with line numbers. */
export function Diff({ diff }: { diff: DiffView }) {
  const { t } = usePage();
  return (
    <div class="diff" tabIndex={0} role="group" dir="ltr">
      {diff.hunks.length === 0 && <div class="diff-note dim">{t('noChanges')}</div>}
      <div class="diff-lines">
        {diff.hunks.map((hunk, index) => (
          <div key={index} class="hunk">
            {numbered(hunk).map(({ line, number }, at) => (
              <div key={at} class={`diff-line ${CLASSES[line.sign]}`}>
                <span class="number">{number}</span>
                <span class="sign">{line.sign}</span>
                <span class="text">{line.text}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
      {diff.truncated && <div class="diff-note dim">{t('diffTruncated')}</div>}
    </div>
  );
}
