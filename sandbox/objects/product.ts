import type { Product } from './wire.ts'

export type NewProduct = Pick<Product, 'id' | 'name'> &
  Partial<Pick<Product, 'description' | 'metadata' | 'tax_code'>>

export function newProduct(given: NewProduct, now: number): Product {
  return {
    object: 'product',
    active: true,
    created: now,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: now,
    url: null,
    ...given,
  }
}
