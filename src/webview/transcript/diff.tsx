import type { DiffHunk, DiffLine, DiffView } from '../../core/session/state';
import { visibleText } from '../../core/visibleText';
import { usePage, type Page } from '../page';

const CLASSES = { ' ': 'same', '+': 'added', '-': 'removed' } as const;

/** How many lines came, in words. */
export function linesAdded(t: Page['t'], count: number): string {
  return count === 1 ? t('lineAdded') : t('linesAdded', count);
}

/** How many lines went, in words. */
export function linesRemoved(t: Page['t'], count: number): string {
  return count === 1 ? t('lineRemoved') : t('linesRemoved', count);
}

/** How many lines came and went. */
export function DiffCount({ diff }: { diff: Pick<DiffView, 'added' | 'removed'> }) {
  const { t } = usePage();
  return (
    <span class="counts nums">
      {diff.added > 0 && (
        <span class="ok" role="img" aria-label={linesAdded(t, diff.added)}>
          +{diff.added}
        </span>
      )}
      {diff.removed > 0 && (
        <span class="bad" role="img" aria-label={linesRemoved(t, diff.removed)}>
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

/** The hunks up to so many lines. */
function firstLines(hunks: readonly DiffHunk[], most: number): DiffHunk[] {
  let left = most;
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, Math.max(0, left));
    left -= lines.length;
    return lines.length > 0 ? [{ ...hunk, lines }] : [];
  });
}

/** The changed places of a file, with line numbers; at most `most` lines. */
export function Diff({ diff, most = Infinity }: { diff: DiffView; most?: number }) {
  const { t } = usePage();
  const hunks = firstLines(diff.hunks, most);
  return (
    <div class="diff" tabIndex={0} role="group" aria-label={t('diffLabel')} dir="ltr">
      {diff.hunks.length === 0 && !diff.truncated && <div class="diff-note dim">{t('noChanges')}</div>}
      <div class="diff-lines">
        {hunks.map((hunk, index) => (
          <div key={index} class="hunk">
            {numbered(hunk).map(({ line, number }, at) => (
              <div key={at} class={`diff-line ${CLASSES[line.sign]}`}>
                <span class="number">{number}</span>
                <span class="sign">{line.sign}</span>
                <span class="text">{visibleText(line.text.replace(/\r$/, ''))}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
      {diff.truncated && most === Infinity && <div class="diff-note dim">{t('diffTruncated')}</div>}
    </div>
  );
}
