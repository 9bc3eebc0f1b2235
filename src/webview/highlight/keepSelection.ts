/** A place in the document, or in the text of a box, whose nodes may be replaced. */
interface Place {
  node: Node;
  offset: number;
  inBox: boolean;
}

function placeOf(box: Element, node: Node, offset: number): Place {
  if (!box.contains(node)) return { node, offset, inBox: false };
  const before = document.createRange();
  before.setStart(box, 0);
  before.setEnd(node, offset);
  return { node: box, offset: before.toString().length, inBox: true };
}

function found({ node, offset, inBox }: Place): [Node, number] {
  if (!inBox) return [node, offset];
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  let rest = offset;
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const { length } = text.nodeValue ?? '';
    if (rest <= length) return [text, rest];
    rest -= length;
  }
  return [node, node.childNodes.length];
}

/** Changes the nodes of a box but not its text; what the person has selected stays selected. */
export function keepSelection(box: Element, change: () => void): void {
  const selection = document.getSelection();
  const { anchorNode, focusNode } = selection ?? {};
  if (!selection || selection.isCollapsed || !anchorNode || !focusNode || !selection.containsNode(box, true))
    return change();
  const anchor = placeOf(box, anchorNode, selection.anchorOffset);
  const focus = placeOf(box, focusNode, selection.focusOffset);
  change();
  if (anchor.inBox || focus.inBox) selection.setBaseAndExtent(...found(anchor), ...found(focus));
}
