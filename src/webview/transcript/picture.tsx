import { usePage } from '../page';

/** A picture of a message, which opens in an editor when it is pressed; `data` is base64. */
export function Picture({ mimeType, data }: { mimeType: string; data: string }) {
  const { t, act } = usePage();
  return (
    <button
      type="button"
      class="picture-button"
      title={t('openImage', mimeType)}
      aria-label={t('openImage', mimeType)}
      onClick={() => void act({ type: 'openImage', data })}
    >
      <img class="picture" src={`data:${mimeType};base64,${data}`} alt={t('image')} />
    </button>
  );
}
