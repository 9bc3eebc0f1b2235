/** Smallest pictures of a GIF: a block of control and one pixel. */
const PICTURE = [0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];

function gif(pictures: number): Uint8Array {
  const head = [...Buffer.from('GIF89a', 'latin1'), 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
  return Uint8Array.from([...head, ...Array.from({ length: pictures }, () => PICTURE).flat(), 0x3b]);
}

/** A GIF of one pixel. */
export const GIF = gif(1);

/** A GIF of one pixel that moves. */
export const MOVING_GIF = gif(2);
