import assert from 'node:assert/strict';
import {
  base64Length,
  imageExtension,
  isAnimated,
  isSentAsIs,
  scaledSize,
  sniffImage,
} from '../../../../src/core/chat/images';
import { GIF, MOVING_GIF } from '../../../support/images';

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));

/** A WebP that begins as one with features, of which one bit says that it moves. */
const webp = (flags: number): Uint8Array =>
  bytes(`RIFF\0\0\0\0WEBPVP8X\n\0\0\0${String.fromCharCode(flags)}\0\0\0`);

describe('what an image is', () => {
  it('PT-3 is told by its first bytes', () => {
    const starts: Record<string, string | undefined> = {
      '\u0089PNG\r\n\u001a\n....': 'image/png',
      '\u00ff\u00d8\u00ff\u00e0....': 'image/jpeg',
      'GIF87a......': 'image/gif',
      'GIF89a......': 'image/gif',
      'RIFF....WEBPVP8 ': 'image/webp',
      '....ftypavif': 'image/avif',
      'BM\u000c\0\0\0......': 'image/bmp',
      'BM is a text that begins so': undefined,
      'RIFF....WAVE': undefined,
      '<svg xmlns="http://www.w3.org/2000/svg">': undefined,
      '%PDF-1.7': undefined,
      PNG: undefined,
      '': undefined,
    };
    for (const [start, type] of Object.entries(starts)) assert.equal(sniffImage(bytes(start)), type, start);
  });

  it('PT-3 goes as it is for the kinds that agents take', () => {
    assert.deepEqual(
      (['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp', 'image/avif'] as const).map(
        isSentAsIs,
      ),
      [true, true, true, true, false, false],
    );
    assert.equal(imageExtension('image/jpeg'), 'jpg');
    assert.equal(imageExtension('image/webp'), 'webp');
  });

  it('PT-3 moves where there is a second picture', () => {
    assert.equal(isAnimated(GIF, 'image/gif'), false);
    assert.equal(isAnimated(MOVING_GIF, 'image/gif'), true);
    assert.equal(isAnimated(MOVING_GIF.subarray(0, 20), 'image/gif'), false, 'one that is cut');
    assert.equal(isAnimated(webp(2), 'image/webp'), true);
    assert.equal(isAnimated(webp(16), 'image/webp'), false);
    assert.equal(isAnimated(MOVING_GIF, 'image/png'), false);
  });

  it('PT-3 is scaled down in its proportion, never up, and never to nothing', () => {
    assert.deepEqual(scaledSize({ width: 4000, height: 1000 }, 2000), { width: 2000, height: 500 });
    assert.deepEqual(scaledSize({ width: 900, height: 2700 }, 2000), { width: 667, height: 2000 });
    assert.deepEqual(scaledSize({ width: 30, height: 20 }, 2000), { width: 30, height: 20 });
    assert.deepEqual(scaledSize({ width: 9000, height: 1 }, 2000), { width: 2000, height: 1 });
  });

  it('has the length of its base64', () => {
    for (const length of [0, 1, 2, 3, 4, 1000])
      assert.equal(base64Length(length), Buffer.alloc(length).toString('base64').length);
  });
});
