/** ms for which a question must have been in view, and its filter empty, before an answer counts. */
export const REFLEX_DELAY = 400;

/**
 * Decides whether an accept in a permission quick pick is meant. A plain quick pick grants "Allow" to someone who goes on typing
 * "al" and Enter; here an accept counts only if the question has been in view for a while, nothing has been typed for a while, and
 * the active row was reached by arrow keys or the mouse. Pure: the caller passes the time (ms).
 */
export class ReflexGuard {
  private shownAt = Number.POSITIVE_INFINITY;
  private filteredAt = Number.NEGATIVE_INFINITY;
  private filterEmpty = true;
  private moved = false;

  shown(at: number): void {
    this.shownAt = at;
    this.moved = false;
  }

  /** The filter changed. Rows that become active by filtering are not reached by the person. */
  filterChanged(value: string, at: number): void {
    this.filteredAt = at;
    this.filterEmpty = value === '';
    this.moved = false;
  }

  /** Another row became active. Soon after typing, the filter moved it and not the person. */
  activeChanged(isOption: boolean, at: number): void {
    this.moved = isOption && this.filterEmpty && at - this.filteredAt >= REFLEX_DELAY;
  }

  accepts(at: number): boolean {
    return (
      this.moved &&
      this.filterEmpty &&
      at - this.shownAt >= REFLEX_DELAY &&
      at - this.filteredAt >= REFLEX_DELAY
    );
  }
}
