import { Component, type ComponentChildren } from 'preact';
import { PageContext, type Page } from './page';
import { Icon } from './transcript/icon';

interface BoundaryProps {
  /** What is inside, for the log. */
  name: string;
  /** An entry of the conversation says so in its line. */
  entry?: boolean;
  children?: ComponentChildren;
}

/** Keeps a part that fails from taking the page along: a quiet line stands in its place, and the extension's log has the error. */
export class Boundary extends Component<BoundaryProps, { details: string | null }> {
  static override contextType = PageContext;
  override state = { details: null };

  override componentDidCatch(error: unknown): void {
    const details = `${this.props.name}: ${describeError(error)}`;
    this.setState({ details });
    (this.context as Page | undefined)?.channel.failed(details);
  }

  override render() {
    const { details } = this.state as { details: string | null };
    return details === null ? (
      this.props.children
    ) : (
      <Broken details={details} entry={this.props.entry === true} />
    );
  }
}

function Broken({ details, entry }: { details: string; entry: boolean }) {
  return (
    <PageContext.Consumer>
      {(page) => (
        <div class="problem broken" role="note" data-broken>
          <Icon name="warning" />
          <span class="grow">{page?.t(entry ? 'entryBroken' : 'partBroken')}</span>
          <button
            type="button"
            class="button small"
            onClick={() => void page?.act({ type: 'copy', text: details })}
          >
            {page?.t('copyDetails')}
          </button>
        </div>
      )}
    </PageContext.Consumer>
  );
}

/** An error with its stack, or whatever was thrown, as a text. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? '';
  return stack.includes(error.message) ? stack : `${error.name}: ${error.message}\n${stack}`;
}
