import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Order } from '../src/order.js';
import { receipt } from '../src/receipt.js';

test('adds up the cups', () => {
  assert.equal(new Order().add('sencha', 2).add('chai').total, 1240);
});

test('a tea that we do not have is an error', () => {
  assert.throws(() => new Order().add('coffee'), /no coffee/);
});

test('takes ten percent off above twenty euros', () => {
  assert.equal(new Order().add('oolong', 5).total, 2160);
});

test('takes ten percent off at exactly twenty euros', () => {
  assert.equal(new Order().add('chai', 5).total, 1800);
});

test('the receipt ends with the total', () => {
  assert.match(receipt(new Order().add('chai')), /total\s+4\.00 €$/);
});
