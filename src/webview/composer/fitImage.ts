import {
  base64Length,
  isAnimated,
  isSentAsIs,
  MAX_IMAGE_DATA,
  MAX_IMAGE_FILE,
  MAX_IMAGE_SIDE,
  scaledSize,
  sniffImage,
  type ImageSize,
  type ImageType,
} from '../../core/chat/images';

/** An image that can be sent (`data` is base64), or why a file is none. */
export type Fitted = { mimeType: string; data: string } | 'noImage' | 'tooLarge' | 'unreadable';

/** Bytes that tell what a file is. */
const START = 16;

/** Qualities of JPEG that are tried, from the best. */
const QUALITIES = [0.9, 0.75, 0.6];

/** What the longest side is multiplied with while the image is still too large, and below which side it ends. */
const SMALLER = 0.75;
const MIN_SIDE = 200;

/**
 * Makes an image fit for agents: of a kind that they take, by its bytes whatever its name says, and with sides and a length within the
 * limits (PT-3). One that fits goes as it is; what moves is not drawn anew, for it would stand still. Never rejects.
 */
export async function fitImage(file: Blob): Promise<Fitted> {
  try {
    const type = await typeOf(file);
    if (!type) return 'noImage';
    if (file.size > MAX_IMAGE_FILE) return 'tooLarge';
    const fits = isSentAsIs(type) && base64Length(file.size) <= MAX_IMAGE_DATA;
    if (isAnimated(new Uint8Array(await file.arrayBuffer()), type))
      return fits ? { mimeType: type, data: await base64(file) } : 'tooLarge';
    return await fitStill(file, type, fits);
  } catch {
    return 'unreadable'; // Neither a broken image nor a file that went away tells more than that.
  }
}

async function typeOf(file: Blob): Promise<ImageType | undefined> {
  const start = sniffImage(new Uint8Array(await file.slice(0, START).arrayBuffer()));
  // The size of a BMP stands in it.
  return (
    start ?? (file.size <= MAX_IMAGE_FILE ? sniffImage(new Uint8Array(await file.arrayBuffer())) : undefined)
  );
}

async function fitStill(file: Blob, type: ImageType, fits: boolean): Promise<Fitted> {
  // The type of the file may be wrong, and decides how it is read.
  const bitmap = await createImageBitmap(file.slice(0, file.size, type));
  try {
    if (fits && Math.max(bitmap.width, bitmap.height) <= MAX_IMAGE_SIDE)
      return { mimeType: type, data: await base64(file) };
    const smaller = await encode(bitmap, type === 'image/jpeg');
    return smaller ? { mimeType: smaller.type, data: await base64(smaller) } : 'tooLarge';
  } finally {
    bitmap.close();
  }
}

/** The image as large as the limits let it be; as PNG where that is small enough, unless it is a photo. */
async function encode(bitmap: ImageBitmap, isPhoto: boolean): Promise<Blob | undefined> {
  const longest = Math.min(MAX_IMAGE_SIDE, Math.max(bitmap.width, bitmap.height));
  for (let side = longest; side >= Math.min(MIN_SIDE, longest); side = Math.floor(side * SMALLER)) {
    const size = scaledSize(bitmap, side);
    if (!isPhoto) {
      const png = await draw(bitmap, size).convertToBlob({ type: 'image/png' });
      if (base64Length(png.size) <= MAX_IMAGE_DATA) return png;
    }
    const canvas = draw(bitmap, size, '#fff');
    for (const quality of QUALITIES) {
      const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality });
      if (base64Length(jpeg.size) <= MAX_IMAGE_DATA) return jpeg;
    }
  }
  return undefined;
}

/** @param ground is what shows through, for a kind that has no transparency */
function draw(bitmap: ImageBitmap, { width, height }: ImageSize, ground?: string): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.imageSmoothingQuality = 'high';
  if (ground !== undefined) {
    context.fillStyle = ground;
    context.fillRect(0, 0, width, height);
  }
  context.drawImage(bitmap, 0, 0, width, height);
  return canvas;
}

async function base64(blob: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(reader.error ?? new Error('not read'));
    reader.readAsDataURL(blob);
  });
  return url.slice(url.indexOf(',') + 1);
}
