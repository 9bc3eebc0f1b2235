import { discountFor } from './discount.js';
import { priceOf } from './menu.js';

/** An order: how many cups of which tea. */
export class Order {
  #cups = new Map();

  add(tea, cups = 1) {
    priceOf(tea);
    this.#cups.set(tea, (this.#cups.get(tea) ?? 0) + cups);
    return this;
  }

  /** Lines of the order: tea, number of cups and price in cents. */
  get lines() {
    return [...this.#cups].map(([tea, cups]) => ({ tea, cups, price: cups * priceOf(tea) }));
  }

  get subtotal() {
    return this.lines.reduce((sum, line) => sum + line.price, 0);
  }

  get total() {
    return this.subtotal - discountFor(this.subtotal);
  }
}
