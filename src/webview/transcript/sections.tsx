import { Component, type VNode } from 'preact';
import { usePage, usePart } from '../page';
import { EntryViews } from './entryView';
import { SECTION } from './sectionHeights';
import type { TranscriptWindow } from './transcriptWindow';

interface SectionProps {
  window: TranscriptWindow;
  index: number;
  ids: string;
}

/** Entries by their ids, drawn again only when one is added. */
class Section extends Component<SectionProps> {
  private element: HTMLElement | null = null;
  private readonly take = (element: HTMLElement | null): void => {
    this.element = element ?? this.element;
  };

  override shouldComponentUpdate(next: SectionProps): boolean {
    return next.ids !== this.props.ids;
  }

  override componentDidMount(): void {
    if (this.element) this.props.window.enter(this.props.index, this.element);
  }

  override componentWillUnmount(): void {
    if (this.element) this.props.window.leave(this.props.index, this.element);
  }

  override render() {
    const { window, index, ids } = this.props;
    return (
      <div
        class="section"
        data-section={index}
        style={{ containIntrinsicHeight: `auto ${window.heightOf(index)}px` }}
        ref={this.take}
      >
        <EntryViews ids={ids.split(',').map(Number)} />
      </div>
    );
  }
}

/** Stands for sections that are not drawn. */
function Gap({ window, from, to }: { window: TranscriptWindow; from: number; to: number }) {
  const { t } = usePage();
  return (
    <div class="gap" data-from={from} data-to={to} style={{ height: `${window.gap(from, to)}px` }}>
      {from === 0 && (
        <button type="button" class="fold earlier" onClick={() => window.showEarlier()}>
          {t('showEarlier')}
        </button>
      )}
    </div>
  );
}

/** The entries of the conversation around the place where it is read, in their order, with gaps for the others. */
export function Sections({ window }: { window: TranscriptWindow }) {
  const { store } = usePage();
  usePart('entries');
  window.follow();
  const { entries } = store.state;
  const parts: VNode[] = [];
  let next = 0;
  const fill = (to: number): void => {
    if (next < to) parts.push(<Gap key={`gap${next}`} window={window} from={next} to={to} />);
  };
  for (const index of window.plan(entries.length)) {
    fill(index);
    const start = index * SECTION;
    const ids = entries.slice(start, start + SECTION).map(({ id }) => id);
    parts.push(<Section key={index} window={window} index={index} ids={ids.join(',')} />);
    next = index + 1;
  }
  fill(Math.ceil(entries.length / SECTION));
  return <>{parts}</>;
}
