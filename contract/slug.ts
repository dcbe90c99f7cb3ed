import { product } from '#config/product.ts'

/** The product's name for cookies, files and traces. Another name signs everybody out. */
export const slug = slugOf(product.name)

/** `Café du Port` becomes `cafe-du-port`. A name without Latin letters and digits becomes `app`. */
export function slugOf(name: string) {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.replaceAll(/[^a-z\d]+/g, '-').replaceAll(/^-|-$/g, '') || 'app'
}
