import { nulls } from './new-object.ts'
import type { Product } from './wire.ts'

export type NewProduct = Pick<Product, 'id' | 'name'> &
  Partial<Pick<Product, 'description' | 'metadata' | 'tax_code'>>

export function newProduct(given: NewProduct, now: number): Product {
  return {
    object: 'product',
    active: true,
    created: now,
    ...nulls(
      'default_price description package_dimensions shippable statement_descriptor tax_code',
      'tax_details unit_label url',
    ),
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    type: 'service',
    updated: now,
    ...given,
  }
}
