import assert from 'node:assert/strict';
import {
  contrast,
  parseColour,
  READABLE,
  readableOn,
  type Rgb,
} from '../../../../src/core/terminal/readable';

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

describe('readable colours', () => {
  it('are read from the ways in which themes write them', () => {
    assert.deepEqual(parseColour(' #1f2e3d '), [31, 46, 61]);
    assert.deepEqual(parseColour('#1f2e3dcc'), [31, 46, 61]);
    assert.deepEqual(parseColour('#fa0'), [255, 170, 0]);
    assert.deepEqual(parseColour('rgba(1, 2, 3, 0.5)'), [1, 2, 3]);
    assert.deepEqual(parseColour('rgb(1 2 3)'), [1, 2, 3]);
    for (const other of ['', 'red', 'rgb(1)', '#12']) assert.equal(parseColour(other), undefined, other);
  });

  it('have the contrast that WCAG counts', () => {
    assert.equal(Math.round(contrast(WHITE, BLACK)), 21);
    assert.equal(contrast(WHITE, WHITE), 1);
    assert.equal(contrast([119, 119, 119], WHITE).toFixed(2), '4.48');
  });

  it('stay as they are where they can be read', () => {
    assert.deepEqual(readableOn([0, 0, 160], WHITE), [0, 0, 160]);
  });

  it('go towards black on white and towards white on black, no further than needed', () => {
    for (const background of [WHITE, BLACK, [31, 31, 31], [128, 128, 128]] as Rgb[])
      for (const colour of [BLACK, WHITE, [229, 229, 16], [36, 114, 200], [205, 49, 49]] as Rgb[]) {
        const made = readableOn(colour, background);
        assert.ok(contrast(made, background) >= READABLE, `${colour.join()} on ${background.join()}`);
      }
    const yellow = readableOn([181, 186, 0], WHITE);
    assert.ok(yellow[0] > yellow[2] && yellow[1] > yellow[2], 'it is yellow still');
  });
});
