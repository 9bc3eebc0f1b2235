import { Order } from './order.js';
import { receipt } from './receipt.js';

console.log(receipt(new Order().add('sencha', 2).add('chai').add('oolong', 3)));
