import type { BlockView } from '../../core/session/state';
import { linkTarget } from '../markdown/links';
import { usePage, type Page } from '../page';
import { Icon } from './icon';
import { visibleText } from '../../core/visibleText';

/** Opens what a link points to, through the extension. */
export function follow(page: Page, href: string): void {
  const target = linkTarget(href);
  if (target?.kind === 'link') void page.act({ type: 'openLink', href: target.href });
  else if (target) {
    const { path, line } = target;
    void page.act({ type: 'openFile', path, ...(line === undefined ? {} : { line }) });
  }
}

function Chip({ icon, text, href, title }: { icon: string; text: string; href?: string; title?: string }) {
  const page = usePage();
  const label = (
    <>
      <Icon name={icon} />
      <span class="cut">{visibleText(text)}</span>
    </>
  );
  if (href === undefined || !linkTarget(href))
    return (
      <span class="chip" title={title ?? text}>
        {label}
      </span>
    );
  return (
    <button type="button" class="chip" title={title ?? href} onClick={() => follow(page, href)}>
      {label}
    </button>
  );
}

/** The name of a resource in a chip: that of its file, with the lines that its fragment names. */
export function nameOf(uri: string): string {
  const name =
    uri
      .replace(/[?#].*$/, '')
      .split(/[\\/]/)
      .filter(Boolean)
      .at(-1) ?? uri;
  const [, from, to] = /#L(\d+)(?:-L?(\d+))?$/.exec(uri) ?? [];
  const lines = from === undefined ? '' : to === undefined || to === from ? `:${from}` : `:${from}-${to}`;
  try {
    return decodeURIComponent(name) + lines;
  } catch {
    return name + lines; // A stray percent sign: shown as it is.
  }
}

/** A content block that is not text: a picture, a file, or the name of what can't be shown. */
export function OtherBlock({ block }: { block: Exclude<BlockView, { type: 'text' }> }) {
  const { t } = usePage();
  switch (block.type) {
    case 'image':
      return block.data ? (
        <img class="picture" src={`data:${block.mimeType};base64,${block.data}`} alt={t('image')} />
      ) : (
        <Chip
          icon="file-media"
          text={t('imageNotShown', block.mimeType)}
          {...(block.uri ? { href: block.uri } : {})}
        />
      );
    case 'audio':
      return <Chip icon="unmute" text={t('audio', block.mimeType)} />;
    case 'resource':
      return <Chip icon="file" text={nameOf(block.uri)} href={block.uri} />;
    case 'link':
      return <Chip icon="file" text={block.name} href={block.uri} title={block.title ?? block.uri} />;
    case 'unknown':
      return <Chip icon="question" text={t('unknownBlock', block.name)} />;
  }
}
